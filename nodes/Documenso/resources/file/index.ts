import type { Resource } from '../../engine/resource';
import { add } from './add';
import { remove } from './delete';
import { download } from './download';
import { update } from './update';

export const file: Resource = {
	name: 'File',
	value: 'file',
	operations: [add, remove, download, update],
	default: 'add',
};
