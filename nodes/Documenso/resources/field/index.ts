import type { Resource } from '../../engine/resource';
import { add } from './add';
import { remove } from './delete';
import { get } from './get';
import { move } from './move';
import { update } from './update';

export const field: Resource = {
	name: 'Field',
	value: 'field',
	operations: [add, remove, get, move, update],
	default: 'add',
};
