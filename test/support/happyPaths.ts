import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { itemWith } from './n8n';
import { pdf } from './pdf';
import { beforeCall } from './polling';
import { byId, contract, mapped, type Suite } from './suite';

interface Input {
	parameters: IDataObject;
	items?: INodeExecutionData[];
}

/** Brings the service into the state that the operation needs, and says how it is called then. */
export type HappyPath = (suite: Suite) => Promise<Input>;

const templateId = byId(RENTAL_AGREEMENT.id);
const useTemplate = {
	columns: mapped({ 'Tenant email': 'tina@example.com', Rent: '900' }),
};

const itemWithPdf = async () => [await itemWith({ data: { content: await pdf() } })];

/** For operations that take no more than their template. */
const ofTemplate =
	(parameters: IDataObject = {}): HappyPath =>
	async () =>
		await Promise.resolve({ parameters: { templateId, ...parameters } });

const ofNumber =
	(parameters: IDataObject = {}): HappyPath =>
	async (suite) =>
		await Promise.resolve({
			parameters: { templateNumber: suite.template().legacyId, ...parameters },
		});

/** For operations on a new document: its draft, or the sent document. */
const ofDocument =
	(
		operation: 'create' | 'createAndSend',
		parametersFor: (document: Awaited<ReturnType<Suite['document']>>) => IDataObject,
	): HappyPath =>
	async (suite) => ({ parameters: parametersFor(await suite.document(operation)) });

const ofDraft = ofDocument.bind(undefined, 'create');
const ofSent = ofDocument.bind(undefined, 'createAndSend');

const ofCompleted =
	(parametersFor: (document: Awaited<ReturnType<Suite['document']>>) => IDataObject): HappyPath =>
	async (suite) => {
		const document = await suite.document('createAndSend');
		await suite.complete(document.id);
		return { parameters: parametersFor(document) };
	};

/** For operations that wait: everyone has signed before they look for the first time. */
const untilSigned =
	(path: HappyPath): HappyPath =>
	async (suite) => {
		const input = await path(suite);
		const restore = beforeCall(suite.service, (line) => {
			if (!line.startsWith('POST /envelope/get-many')) return;
			restore();
			for (const document of suite.documents()) {
				Object.assign(document, { status: 'COMPLETED', completedAt: new Date() });
			}
		});
		return input;
	};

async function madeBefore(suite: Suite, parameters: IDataObject): Promise<IDataObject> {
	const [made = {}] = await suite.outputOf(parameters);
	suite.service.calls.length = 0;
	return made;
}

const ofAttachment =
	(parameters: IDataObject): HappyPath =>
	async (suite) => {
		const { id } = await suite.document();
		const link = { label: 'Rules', data: 'https://example.com/rules' };
		const create = { resource: 'attachment', operation: 'create', envelopeId: byId(id), ...link };
		const attachment = await madeBefore(suite, create);
		return {
			parameters: { envelopeId: byId(id), attachmentId: byId(attachment.id), ...parameters },
		};
	};

const ofFolder =
	(parameters: IDataObject): HappyPath =>
	async (suite) => {
		const folder = await madeBefore(suite, {
			resource: 'folder',
			operation: 'create',
			name: 'Deals',
		});
		return { parameters: { folderId: byId(folder.id), ...parameters } };
	};

const ofLink =
	(parameters: IDataObject = {}): HappyPath =>
	async (suite) => {
		await madeBefore(suite, { resource: 'directLink', operation: 'create', templateId });
		return { parameters: { templateId, ...parameters } };
	};

/** One way in which each operation succeeds. */
export const happyPaths: Record<string, HappyPath> = {
	'attachment.create': ofDraft(({ id }) => ({
		envelopeId: byId(id),
		label: 'Rules',
		data: 'https://example.com',
	})),
	'attachment.delete': ofAttachment({}),
	'attachment.getAll': ofAttachment({}),
	'attachment.update': ofAttachment({ label: 'New', data: 'https://example.com/new' }),
	'directLink.create': ofTemplate(),
	'directLink.delete': ofLink(),
	'directLink.disable': ofLink(),
	'directLink.enable': ofLink(),
	'document.cancel': ofSent(({ id }) => ({ documentId: byId(id) })),
	'document.create': async () => ({ parameters: contract, items: await itemWithPdf() }),
	'document.createAndSend': async () => ({ parameters: contract, items: await itemWithPdf() }),
	'document.createUntilSigned': untilSigned(async () => ({
		parameters: contract,
		items: await itemWithPdf(),
	})),
	'document.delete': ofDraft(({ id }) => ({ documentId: byId(id) })),
	'document.download': ofCompleted(({ id }) => ({ documentId: byId(id) })),
	'document.duplicate': ofDraft(({ id }) => ({ documentId: byId(id) })),
	'document.get': ofDraft(({ id }) => ({ documentId: byId(id) })),
	'document.getAll': ofDraft(() => ({})),
	'document.getAuditLog': ofSent(({ id }) => ({ documentId: byId(id) })),
	'document.getByIds': ofDraft(({ id }) => ({ id })),
	'document.resend': ofSent(({ id }) => ({ documentId: byId(id) })),
	'document.send': ofDraft(({ id }) => ({ documentId: byId(id) })),
	'document.sendUntilSigned': untilSigned(ofDraft(({ id }) => ({ documentId: byId(id) }))),
	'document.update': ofDraft(({ id }) => ({
		documentId: byId(id),
		updateFields: { title: 'New lease' },
	})),
	'embedToken.create': ofDraft(({ id }) => ({ envelopeId: byId(id) })),
	'embedToken.verify': async (suite) => {
		const { token } = await madeBefore(suite, { resource: 'embedToken', operation: 'create' });
		return { parameters: { token } };
	},
	'field.add': ofDraft(({ id, recipients }) => ({
		envelopeId: byId(id),
		recipientId: byId(recipients[0]?.id),
		type: 'TEXT',
		settings: { label: 'City' },
	})),
	'field.delete': ofDraft(({ fields }) => ({ fieldId: byId(fields[0]?.id) })),
	'field.get': ofDraft(({ fields }) => ({ fieldId: byId(fields[0]?.id) })),
	'field.move': ofDraft(({ fields }) => ({
		fieldId: byId(fields[0]?.id),
		updateFields: { page: 2 },
	})),
	'field.update': ofDraft(({ fields }) => ({
		fieldId: byId(fields[0]?.id),
		type: 'SIGNATURE',
		settings: { label: 'Here' },
	})),
	'file.add': async (suite) => ({
		parameters: { envelopeId: byId((await suite.document()).id) },
		items: await itemWithPdf(),
	}),
	'file.delete': ofDraft(({ id, items }) => ({
		envelopeId: byId(id),
		envelopeItemId: byId(items[0]?.id),
	})),
	'file.download': ofCompleted(({ id, items }) => ({
		envelopeId: byId(id),
		envelopeItemId: byId(items[0]?.id),
	})),
	'file.update': ofDraft(({ id, items }) => ({
		envelopeId: byId(id),
		envelopeItemId: byId(items[0]?.id),
		updateFields: { title: 'Lease' },
	})),
	'folder.create': async () => await Promise.resolve({ parameters: { name: 'Deals' } }),
	'folder.delete': ofFolder({}),
	'folder.getAll': ofFolder({}),
	'folder.moveEnvelope': ofDraft(({ id }) => ({ envelopeId: byId(id) })),
	'folder.update': ofFolder({ updateFields: { name: 'Old deals' } }),
	'recipient.add': ofDraft(({ id }) => ({ envelopeId: byId(id), email: 'anna@example.com' })),
	'recipient.delete': ofDraft(({ recipients }) => ({ recipientId: byId(recipients[0]?.id) })),
	'recipient.get': ofDraft(({ recipients }) => ({ recipientId: byId(recipients[0]?.id) })),
	'recipient.getSigningLink': ofSent(({ recipients }) => ({
		recipientId: byId(recipients[0]?.id),
	})),
	'recipient.rejectOnBehalf': ofSent(({ id, recipients }) => ({
		documentId: byId(id),
		recipientId: byId(recipients[0]?.id),
		reason: 'Moved away',
	})),
	'recipient.update': ofDraft(({ id, recipients }) => ({
		envelopeId: byId(id),
		recipientId: byId(recipients[0]?.id),
		updateFields: { name: 'Tina Turner' },
	})),
	'template.create': async () => ({ parameters: contract, items: await itemWithPdf() }),
	'template.createDocument': ofTemplate(useTemplate),
	'template.createDocumentUntilSigned': untilSigned(ofTemplate(useTemplate)),
	'template.delete': ofTemplate(),
	'template.duplicate': ofTemplate(),
	'template.get': ofTemplate(),
	'template.getAll': ofTemplate(),
	'template.update': ofTemplate({ updateFields: { title: 'Lease' } }),
	'templateDeprecated.createDocument': ofNumber(useTemplate),
	'templateDeprecated.delete': ofNumber(),
	'templateDeprecated.duplicate': ofNumber(),
	'templateDeprecated.get': ofNumber(),
	'templateDeprecated.getAll': ofNumber(),
	'templateDeprecated.update': ofNumber({ updateFields: { title: 'Lease' } }),
};
