import type { Resource } from '../../engine/resource';
import { createDocument } from './createDocument';
import { remove } from './delete';
import { duplicate } from './duplicate';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';

/** Documenso removes these endpoints on 1 March 2027. Delete this folder and its entry in the registry then. */
export const templateDeprecated: Resource = {
	name: 'Template (Deprecated)',
	value: 'templateDeprecated',
	operations: [createDocument, remove, duplicate, get, getAll, update],
	default: 'get',
};
