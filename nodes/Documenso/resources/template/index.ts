import type { Resource } from '../../resource';
import { createDocument } from './createDocument';
import { get } from './get';
import { getAll } from './getAll';

export const template: Resource = {
	name: 'Template',
	value: 'template',
	operations: [createDocument, get, getAll],
	default: 'createDocument',
};
