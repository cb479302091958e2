import type { Resource } from '../../engine/resource';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';
import { moveEnvelope } from './moveEnvelope';
import { update } from './update';

export const folder: Resource = {
	name: 'Folder',
	value: 'folder',
	operations: [create, remove, getAll, moveEnvelope, update],
	default: 'create',
};
