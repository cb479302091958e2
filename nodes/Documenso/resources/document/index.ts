import type { Resource } from '../../resource';
import { cancel } from './cancel';
import { create } from './create';
import { createAndSend } from './createAndSend';
import { remove } from './delete';
import { download } from './download';
import { get } from './get';
import { getAll } from './getAll';
import { send } from './send';
import { update } from './update';

export const document: Resource = {
	name: 'Document',
	value: 'document',
	operations: [cancel, create, createAndSend, remove, download, get, getAll, send, update],
	default: 'createAndSend',
};
