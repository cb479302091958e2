import type { Resource } from '../../engine/resource';
import { create } from './create';
import { verify } from './verify';

export const embedToken: Resource = {
	name: 'Embed Token',
	value: 'embedToken',
	operations: [create, verify],
	default: 'create',
};
