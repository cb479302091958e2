import type { Resource } from '../../engine/resource';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { update } from './update';

export const attachment: Resource = {
	name: 'Attachment',
	value: 'attachment',
	operations: [create, remove, getAll, update],
	default: 'create',
};
