import type { Resource } from '../../engine/resource';
import { create } from './create';
import { createDocument } from './createDocument';
import { createDocumentUntilSigned } from './createDocumentUntilSigned';
import { remove } from './delete';
import { duplicate } from './duplicate';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';

export const template: Resource = {
	name: 'Template',
	value: 'template',
	operations: [
		create,
		createDocument,
		createDocumentUntilSigned,
		remove,
		duplicate,
		get,
		getAll,
		update,
	],
	default: 'createDocument',
};
