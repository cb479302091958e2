import type { Resource } from '../../engine/resource';
import { cancel } from './cancel';
import { create } from './create';
import { createAndSend } from './createAndSend';
import { createUntilSigned } from './createUntilSigned';
import { remove } from './delete';
import { download } from './download';
import { duplicate } from './duplicate';
import { get } from './get';
import { getAll } from './getAll';
import { getAuditLog } from './getAuditLog';
import { getByIds } from './getByIds';
import { resend } from './resend';
import { send } from './send';
import { sendUntilSigned } from './sendUntilSigned';
import { update } from './update';

export const document: Resource = {
	name: 'Document',
	value: 'document',
	operations: [
		cancel,
		create,
		createAndSend,
		createUntilSigned,
		remove,
		download,
		duplicate,
		get,
		getAuditLog,
		getAll,
		getByIds,
		resend,
		send,
		sendUntilSigned,
		update,
	],
	default: 'createAndSend',
};
