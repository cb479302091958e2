import { checkOfDocuments, checkOptions } from '../check/checkDocuments';
import { previewOfDocument } from '../check/preview';
import { withComparison } from '../check/replacement';
import { creating } from '../creation/creating';
import { withHint } from '../../shared/n8n/input';
import { EMAILS_PEOPLE } from '../engine/commonInputs';
import { batched, custom, list, perItem } from '../engine/kinds';
import { planned, previewed, type Planned } from '../engine/planned';
import type { Resource } from '../engine/resource';
import { copyInputs, deletionOf, duplicationOf, updateOf } from '../envelope/change';
import { createDraft, draftInputs, draftOf, type Draft } from '../envelope/draft';
import { listOf, readById } from '../../shared/envelope/read';
import { places, templateFilters } from '../../shared/inputs/filters';
import { GIVE_IDS, ifExternalIdExists, ifExternalIdExistsOrDiffers } from '../inputs/creation';
import { BY_NAME, send, sendNow } from '../inputs/fillTemplate';
import { templateId } from '../../shared/inputs/locators';
import { createTemplateFields, updateTemplateFields, useFields } from '../inputs/settings';
import { approvedFor, approvedOptions, ofTemplate } from '../template/use';
import { waitedFor } from '../waiting/sendMarked';
import { RETURNED_AFTER_WAITING, untilFinal } from '../waiting/untilFinal';

const { title, binaryPropertyName, ...recipients } = draftInputs;

const create = planned({
	name: 'Create',
	value: 'create',
	action: 'Create a template',
	description: 'Create a template from one or several PDFs or Word files',
	returns: '`id`',
	effect: 'adds',
	inputs: {
		title,
		binaryPropertyName,
		...recipients,
		// Documenso would email such an address, so the node refuses to create a document with one.
		specifyRecipients: withHint(
			recipients.specifyRecipients,
			"If you don't know a recipient yet, enter recipient.1@documenso.com as the email, for the next one recipient.2@documenso.com, and so on. Create Document then asks for the real address.",
		),
		...createTemplateFields,
	},
	plan: async (given, item) => await draftOf(given, item, 'TEMPLATE', false),
	look: async (next: Array<Planned<Draft>>) => await Promise.resolve({ next, failed: [] }),
	perform: async (draft) => [{ json: await createDraft(draft.item, draft) }],
});

const replaceable = { ifExternalIdExists: ifExternalIdExistsOrDiffers };

const createDocument = creating({
	name: 'Create Document',
	value: 'createDocument',
	action: 'Create a document from a template',
	description: 'Fill in a template for your recipients, and optionally send the document',
	returns: '`id`, `title`, `status`, `url`, `externalId`, `recipients`',
	inputs: { ...ofTemplate(replaceable), send: sendNow, ...useFields, options: approvedOptions },
	document: async (given, item) => withComparison(await approvedFor(given, item), item),
});

const createDocumentUntilSigned = creating({
	name: 'Create Document and Wait',
	value: 'createDocumentUntilSigned',
	action: 'Create a document from a template and wait until it is signed',
	description:
		'Fill in a template, send the document, and go on when it is signed, rejected or cancelled',
	returns: RETURNED_AFTER_WAITING,
	inputs: {
		...ofTemplate({
			ifExternalIdExists: withHint(ifExternalIdExists, `${EMAILS_PEOPLE} ${GIVE_IDS}`),
		}),
		...useFields,
		options: approvedOptions,
	},
	document: async (given, item) =>
		await waitedFor(withComparison(await approvedFor({ ...given, send: true }, item), item), item),
	ending: untilFinal,
});

const previewDocument = previewed({
	name: 'Preview Document',
	value: 'previewDocument',
	action: 'Preview a document from a template',
	description: 'See what Create Document would send with the same inputs, and create nothing',
	returns:
		'the item, with `documensoPreview`: `action`, `faults`, `warnings`, `existing`, `title`, `externalId`, `recipients`, `leftOut`, `fields`, `digest`',
	inputs: {
		...ofTemplate(replaceable),
		templateId: withHint(
			templateId,
			`Creates and sends nothing. Give it the same inputs as Create Document. ${BY_NAME}`,
		),
		send,
		...useFields,
	},
	// Whoever approves has to see who gets it.
	reveals: 'addresses',
	...previewOfDocument,
});

const checkDocuments = previewed({
	name: 'Check Documents',
	value: 'checkDocuments',
	action: 'Check documents from a template against rows',
	description:
		'Compare each row with its document: whether it is there, was sent, and says the same',
	returns:
		'the item, with `documensoCheck`: `verdict`, `advice`, `document`, `others`, `differences`, `notCompared`',
	inputs: {
		...ofTemplate({}),
		templateId: withHint(
			templateId,
			`Changes nothing. Give it the same inputs as Create Document, and each row an External ID. ${BY_NAME}`,
		),
		send,
		...useFields,
		options: checkOptions,
	},
	...checkOfDocuments,
});

const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a template',
	description: 'Permanently delete a template; documents created from it stay',
	inputs: { templateId },
	...deletionOf('templateId'),
});

const duplicate = perItem({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a template',
	description: 'Create a copy of a template',
	inputs: { templateId, ...copyInputs },
	...duplicationOf('templateId'),
});

const get = batched({
	name: 'Get',
	value: 'get',
	action: 'Get a template',
	description: 'Get a template with its recipients; with Raw, also its fields and files',
	returns: 'the template',
	inputs: { templateId },
	...readById('templateId'),
});

const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'Get many templates with their recipients',
	returns: 'a template',
	inputs: { ...places, filters: templateFilters },
	...listOf('TEMPLATE'),
});

const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a template',
	description: 'Update the title or settings of a template',
	returns: 'the template',
	inputs: { templateId, ...updateTemplateFields },
	...updateOf('templateId'),
});

export const template: Resource = {
	name: 'Template',
	value: 'template',
	description: 'A prepared document that is filled in for each of its recipients',
	operations: [
		createDocument,
		createDocumentUntilSigned,
		previewDocument,
		checkDocuments,
		get,
		getAll,
		create,
		update,
		duplicate,
		remove,
	],
	default: 'createDocument',
	defaultOfTool: 'get',
};
