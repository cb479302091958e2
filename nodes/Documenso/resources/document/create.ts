import { creating } from '../../creation/creating';
import { chosenFor, externalIdOf, type NewDocument } from '../../creation/newDocument';
import { asInRun } from '../../creation/testRun';
import { withHint, type Values } from '../../../shared/n8n/input';
import { differencesOf } from '../../envelope/draftDifferences';
import { EMAILS_PEOPLE } from '../../engine/commonInputs';
import type { Item } from '../../../shared/n8n/item';
import { createDraft, draftInputs, draftOf, type DraftValues } from '../../envelope/draft';
import { GIVE_IDS, ifExternalIdExists } from '../../inputs/creation';
import { createAndSendFields, createFields } from '../../inputs/settings';
import { waitedFor } from '../../waiting/sendMarked';
import { RETURNED_AFTER_WAITING, untilFinal } from '../../waiting/untilFinal';

const sentOnce = withHint(ifExternalIdExists, `${EMAILS_PEOPLE} ${GIVE_IDS}`);

export const create = creating({
	name: 'Create',
	value: 'create',
	action: 'Create a document',
	description: 'Create a draft from one or several PDFs or Word files; it is not sent yet',
	returns: '`id`, `title`, `status`, `url`, `externalId`',
	inputs: { ...draftInputs, ifExternalIdExists, ...createFields },
	document: async (given, item) => await documentOf(given, item, 'no'),
});

export const createAndSend = creating({
	name: 'Create and Send',
	value: 'createAndSend',
	action: 'Create and send a document',
	description: 'Create a document from one or several PDFs or Word files and send it for signing',
	returns: '`id`, `title`, `status`, `url`, `externalId`, `recipients`',
	inputs: { ...draftInputs, ifExternalIdExists: sentOnce, ...createAndSendFields },
	document: async (given, item) => await documentOf(given, item, 'afterwards'),
});

export const createUntilSigned = creating({
	name: 'Create, Send and Wait',
	value: 'createUntilSigned',
	action: 'Create and send a document and wait until it is signed',
	description:
		'Send a new document for signing, and go on when it is signed, rejected or cancelled',
	returns: RETURNED_AFTER_WAITING,
	inputs: { ...draftInputs, ifExternalIdExists: sentOnce, ...createAndSendFields },
	document: async (given, item) =>
		await waitedFor(await documentOf(given, item, 'afterwards'), item),
	ending: untilFinal,
});

async function documentOf(
	given: DraftValues & Values<{ ifExternalIdExists: typeof ifExternalIdExists }>,
	item: Item,
	sending: NewDocument['sending'],
): Promise<NewDocument> {
	const draft = await draftOf(given, item, 'DOCUMENT', sending !== 'no');
	const { additionalFields } = given;
	const { title, externalId, recipients } = asInRun(item, {
		title: given.title,
		externalId: externalIdOf(item, additionalFields.externalId),
		recipients: draft.recipients,
	});
	const payload = { ...draft.payload, title, externalId: externalId.value, recipients };
	return {
		...chosenFor(externalId, given.ifExternalIdExists, additionalFields),
		emails: recipients.map(({ email }) => email),
		emailing: draft.emailing,
		sending,
		content: { payload, files: draft.files },
		templateId: null,
		comparedWith: (earlier) => ({
			differences: differencesOf(earlier, { title, recipients, files: draft.files }),
			doubts: [],
		}),
		create: async (_, stored = externalId.value) => {
			const { id } = await createDraft(item, {
				...draft,
				payload: { ...payload, externalId: stored },
			});
			return { id, json: { id, title, status: 'DRAFT', externalId: externalId.value } };
		},
	};
}
