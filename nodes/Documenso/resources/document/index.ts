import type { IDataObject } from 'n8n-workflow';

import { clock } from '../../../shared/api/clock';
import type { Client } from '../../../shared/api/client';
import { isFinal, serviceTime } from '../../../shared/api/lifecycle';
import { path } from '../../../shared/api/path';
import { parse } from '../../../shared/api/records';
import { emailingOf } from '../../../shared/envelope/whoCanSign';
import { withCause } from '../../../shared/n8n/cause';
import type { Item } from '../../../shared/n8n/item';
import { options } from '../../engine/commonInputs';
import { flag, notice, text, type Values } from '../../../shared/n8n/input';
import { batched, custom, list, perItem } from '../../engine/kinds';
import type { Resource } from '../../engine/resource';
import { compact } from '../../../shared/n8n/values';
import { cancellationOf } from '../../envelope/auditLog';
import { copyInputs, deletionOf, duplicationOf, updateOf } from '../../envelope/change';
import { checkSendable, distribute } from '../../envelope/distribute';
import { keepEmailed, keepTold, notAskedBefore, readInTest } from '../../envelope/emailed';
import { readNamed } from '../../../shared/envelope/named';
import { listOf, readById } from '../../../shared/envelope/read';
import { metaOf, sortSettings } from '../../envelope/settings';
import { simplifyCreated } from '../../../shared/envelope/simplify';
import { changedBySigner, filledSchema } from '../../../shared/envelope/filledValues';
import { stuckIn, unfinishedSince } from '../../../shared/envelope/stuck';
import { documentFilters, orderByDirection, places } from '../../../shared/inputs/filters';
import { documentId } from '../../../shared/inputs/locators';
import { sendFields, updateDocumentFields } from '../../inputs/settings';
import { markable } from '../../waiting/mark';
import { checkRoom, sendMarked } from '../../waiting/sendMarked';
import { RETURNED_AFTER_WAITING, untilFinal } from '../../waiting/untilFinal';
import { archive } from './archive';
import { create, createAndSend, createUntilSigned } from './create';
import { download } from './download';
import { getByIds } from './getByIds';
import { resend } from './resend';

/** Documenso tells them that the document has ended. */
const EMAILS_ASKED = 'Execute step emails those who were asked to sign, too.';

const cancel = custom({
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel a document',
	description: 'Cancel a sent document so that nobody can sign it any more',
	returns: '`id`, `success`',
	effect: 'changes',
	inputs: {
		documentId,
		reason: text('Reason', {
			placeholder: 'e.g. The rent was wrong',
			description: 'The reason that recipients are given',
			hint: EMAILS_ASKED,
		}),
	},
	run: async ({ documentId: id, reason }, item) => {
		const { client, execution } = item;
		// Several items may be of one document.
		const answer = await client.once(`cancellation of ${id}`, async () => {
			const before = await readInTest(item, id);
			const body = compact({ envelopeId: id, reason });
			const cancelled = await withCause(
				async () => await client.post('/envelope/cancel', body),
				async () => await readNamed(client, 'documentId', id),
			);
			keepTold(execution, before);
			return cancelled;
		});
		return [{ json: { id, ...answer } }];
	},
});

const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a document',
	description: 'Permanently delete a draft or a sent document, or hide a finished one',
	inputs: { emailNotice: notice(EMAILS_ASKED), documentId },
	...deletionOf('documentId'),
});

const duplicate = perItem({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a document',
	description: 'Copy a document in any state to a new draft',
	inputs: { documentId, ...copyInputs },
	...duplicationOf('documentId'),
});

const get = batched({
	name: 'Get',
	value: 'get',
	action: 'Get a document',
	description: 'Get a document with its recipients; with Raw, also its fields and files',
	returns: 'the document',
	inputs: {
		documentId,
		options: options({
			addCancellation: flag('Add Cancellation', false, {
				description:
					'Whether to say who cancelled the document, when and why. Takes one more request for a cancelled document.',
			}),
		}),
	},
	...readById('documentId'),
	complete: async (given, { documentId: id, options: { addCancellation } }, { client }) => {
		const record = withState(given, client);
		if (!addCancellation || record.status !== 'CANCELLED') return record;
		const cancellation = await cancellationOf(client, id);
		return cancellation ? { ...record, cancellation } : record;
	},
});

/**
 * Adds what is wrong with a document that goes nowhere, since when Documenso has been finishing one, and what signers made
 * of what was filled in beforehand.
 */
function withState(record: IDataObject, client: Client): IDataObject {
	const since = unfinishedSince(record);
	const stuck = stuckIn(record, serviceTime(client));
	const filled = filledSchema.safeParse(record).data;
	const changed = filled ? changedBySigner(filled) : [];
	return {
		...record,
		...(since ? { unfinishedSince: since.toISOString() } : {}),
		...(stuck ? { stuck } : {}),
		...(changed.length > 0 ? { changedBySigner: changed } : {}),
	};
}

const getAuditLog = list({
	name: 'Get Audit Log',
	value: 'getAuditLog',
	action: 'Get the audit log of a document',
	description: 'Get everything that happened to a document: who did what, when and from where',
	returns: 'an entry of the log',
	inputs: { documentId, orderByDirection },
	records: async ({ documentId: id, orderByDirection: direction }, { client }, wanted) => {
		const query = { orderByColumn: 'createdAt', orderByDirection: direction };
		const check = async () => await readNamed(client, 'documentId', id);
		const log = async () => await client.list(path`/envelope/${id}/audit-log`, query, wanted);
		const found = await withCause(log, check);
		if (found.length === 0) await check();
		return found;
	},
});

const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many documents',
	description: 'Get many documents with their recipients',
	returns: 'a document',
	inputs: { ...places, filters: documentFilters },
	...listOf('DOCUMENT'),
});

const sendInputs = {
	// n8n shows the value of an expression in the place of a hint.
	emailNotice: notice(
		'Execute step emails the recipients, too. To test, create the document with <i>Options > In Manual Executions, Send To</i>.',
	),
	documentId,
	additionalFields: sendFields,
};

/** What sends a draft, as it was read, and returns its recipients with their signing links. */
function sendingOf(
	record: IDataObject,
	{ documentId: id, additionalFields }: Values<typeof sendInputs>,
	{ client, execution }: Item,
) {
	const meta = metaOf(sortSettings(additionalFields), record);
	checkSendable(client, record, { meta });
	const emailing = emailingOf({ ...(record.documentMeta as IDataObject), ...meta });
	return async () =>
		await client.once(`sending of ${id}`, async () => {
			const sent = await distribute(client, id, { meta, isNew: false });
			keepEmailed(execution, notAskedBefore(record) ?? sent.recipients, emailing);
			return sent;
		});
}

const send = custom({
	name: 'Send',
	value: 'send',
	action: 'Send a document',
	description: 'Send a draft to its recipients',
	returns: '`id`, `status`, `recipients`',
	// Documenso sends a document that was already sent once more, with another event.
	effect: 'adds',
	inputs: sendInputs,
	simplify: simplifyCreated,
	hasLinks: true,
	run: async (given, item) => {
		const record = await readNamed(item.client, 'documentId', given.documentId);
		const sendDraft = sendingOf(record, given, item);
		return [{ json: await sendDraft() }];
	},
});

const sendUntilSigned = custom({
	name: 'Send and Wait',
	value: 'sendUntilSigned',
	action: 'Send a document and wait until it is signed',
	description: 'Send a draft to its recipients, and go on when it is signed, rejected or cancelled',
	returns: RETURNED_AFTER_WAITING,
	effect: 'adds',
	inputs: sendInputs,
	run: async (given, item) => {
		const readAt = clock.now();
		const record = await readNamed(item.client, 'documentId', given.documentId);
		const draft = parse(markable, record);
		const { id, status } = draft;
		// A failed try has sent it, and it has ended before anybody waited for it.
		const { isRetry } = item.execution.progress;
		if (isRetry && isFinal(status)) return [{ json: { id } }];
		checkRoom(draft.externalId ?? '');
		const send = sendingOf(record, given, item);
		return [{ json: await sendMarked(item, { draft, readAt, send, isKept: true }) }];
	},
	ending: untilFinal,
});

const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a document',
	description: 'Update the title or settings of a document',
	returns: 'the document',
	inputs: { documentId, ...updateDocumentFields },
	...updateOf('documentId'),
});

export const document: Resource = {
	name: 'Document',
	value: 'document',
	description: 'PDFs with recipients who sign them',
	operations: [
		createAndSend,
		createUntilSigned,
		create,
		send,
		sendUntilSigned,
		resend,
		get,
		getAll,
		getByIds,
		download,
		archive,
		getAuditLog,
		update,
		duplicate,
		cancel,
		remove,
	],
	default: 'createAndSend',
	defaultOfTool: 'get',
};
