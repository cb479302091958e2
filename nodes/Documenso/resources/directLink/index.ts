import type { Resource } from '../../engine/resource';
import { create } from './create';
import { remove } from './delete';
import { disable } from './disable';
import { enable } from './enable';

export const directLink: Resource = {
	name: 'Direct Link',
	value: 'directLink',
	operations: [create, remove, disable, enable],
	default: 'create',
};
