import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { itemWith } from './n8n';
import { pdf } from './pdf';
import { byId, mapped } from './suite';

interface Input {
	parameters: IDataObject;
	items?: INodeExecutionData[];
	/** Other ways to call it, if it then sends requests to further endpoints. */
	others?: Array<Omit<Input, 'others'>>;
}

/** What the operations below need to know of a document. */
export interface Paper {
	id: string;
	recipients: Array<{ id: number }>;
	fields: Array<{ id: number }>;
	items: Array<{ id: string }>;
}

/** Where operations are tried: the local Documenso, or a real one (`npm run test:live`). */
export interface Stage {
	/** The parameters of a new document or template with one signer. */
	contract(type: 'DOCUMENT' | 'TEMPLATE'): IDataObject;
	/** A new document of two pages with one signer: its draft, or sent. */
	document(operation?: 'create' | 'createAndSend'): Promise<Paper>;
	/** A document that is completed. */
	completed(): Promise<Paper>;
	/** A template with the recipient Tenant and the field Rent. */
	template(): Promise<{ id: string; legacyId: number }>;
	/** Documents are signed when a node that waits reads them. Without it, the node waits. */
	signWhenRead?(): void;
	/** The folders that hold everything; without them, all is in the root. */
	folders?: Record<'DOCUMENT' | 'TEMPLATE', string>;
	/** The output of an operation, which has to succeed. */
	outputOf(parameters: IDataObject): Promise<IDataObject[]>;
}

/** Brings the service into the state that the operation needs, and says how it is called then. */
export type HappyPath = (stage: Stage) => Promise<Input>;

/** One document or template is read alone, and two in one request. */
const oneAndTwo = (input: 'documentId' | 'templateId', ids: unknown[]): Input => ({
	parameters: { [input]: byId(ids[0]) },
	others: [
		{
			parameters: { [input]: byId('={{ $json.id }}') },
			items: ids.map((id) => ({ json: { id } as IDataObject })),
		},
	],
});

/** Whose document is another's. */
const OTHER_TENANT = { 'Tenant email': 'tom@example.com', Rent: '900' };

const itemWithPdf = async () => [await itemWith({ data: { content: await pdf() } })];

/** For operations that make something from a PDF. */
const ofPdf =
	(type: 'DOCUMENT' | 'TEMPLATE'): HappyPath =>
	async (stage) => ({ parameters: stage.contract(type), items: await itemWithPdf() });

/** For operations that take no more than their template. */
const ofTemplate =
	(parameters: IDataObject = {}): HappyPath =>
	async (stage) => ({
		parameters: { templateId: byId((await stage.template()).id), ...parameters },
	});

const ofNumber =
	(parameters: IDataObject = {}): HappyPath =>
	async (stage) => ({
		parameters: { templateNumber: (await stage.template()).legacyId, ...parameters },
	});

/** For operations that make a document from a template. */
const filled =
	(path: HappyPath): HappyPath =>
	async (stage) => {
		const { parameters } = await path(stage);
		return {
			parameters: {
				...parameters,
				columns: mapped({ 'Tenant email': 'tina@example.com', Rent: '900' }),
				additionalFields: stage.folders ? { folderId: stage.folders.DOCUMENT } : {},
			},
		};
	};

type ParametersFor = (document: Paper) => IDataObject;

const ofDraft =
	(parametersFor: ParametersFor): HappyPath =>
	async (stage) => ({ parameters: parametersFor(await stage.document('create')) });

const ofSent =
	(parametersFor: ParametersFor): HappyPath =>
	async (stage) => ({ parameters: parametersFor(await stage.document('createAndSend')) });

const ofCompleted =
	(parametersFor: ParametersFor): HappyPath =>
	async (stage) => ({ parameters: parametersFor(await stage.completed()) });

/** For operations that wait. */
const untilSigned =
	(path: HappyPath): HappyPath =>
	async (stage) => {
		const { parameters, items } = await path(stage);
		stage.signWhenRead?.();
		return { parameters: { ...parameters, addToOutput: ['signedFiles'] }, items };
	};

const ofAttachment =
	(parameters: IDataObject): HappyPath =>
	async (stage) => {
		const envelopeId = byId((await stage.document()).id);
		const link = { label: 'Rules', data: 'https://example.com/rules' };
		const create = { resource: 'attachment', operation: 'create', envelopeId, ...link };
		const [attachment] = await stage.outputOf(create);
		return { parameters: { envelopeId, attachmentId: byId(attachment?.id), ...parameters } };
	};

const newFolder = ({ folders }: Stage): IDataObject => ({
	name: 'Deals',
	...(folders ? { parentId: byId(folders.DOCUMENT) } : {}),
});

const ofFolder =
	(parameters: IDataObject): HappyPath =>
	async (stage) => {
		const create = { resource: 'folder', operation: 'create', ...newFolder(stage) };
		const [folder] = await stage.outputOf(create);
		return { parameters: { folderId: byId(folder?.id), ...parameters } };
	};

const ofLink =
	(parameters: IDataObject = {}): HappyPath =>
	async (stage) => {
		const templateId = byId((await stage.template()).id);
		await stage.outputOf({ resource: 'directLink', operation: 'create', templateId });
		return { parameters: { templateId, ...parameters } };
	};

/** Where Get Many looks. */
const placeOf = ({ folders }: Stage, type: 'DOCUMENT' | 'TEMPLATE'): IDataObject =>
	folders ? { searchIn: 'folder', folderId: byId(folders[type]) } : {};

/** In a team of somebody's, only in the folders of the run. */
const listed = (stage: Stage, type: 'DOCUMENT' | 'TEMPLATE'): Input => ({
	parameters: placeOf(stage, type),
	others: stage.folders
		? []
		: [{ parameters: { searchIn: 'everywhere', returnAll: false, limit: 1 } }],
});

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
	'directLink.enable': async (stage) => {
		const input = await ofLink()(stage);
		const disable = { resource: 'directLink', operation: 'disable', ...input.parameters };
		await stage.outputOf(disable);
		return input;
	},
	'document.archive': ofCompleted(({ id }) => ({ documentId: byId(id) })),
	'document.cancel': ofSent(({ id }) => ({ documentId: byId(id) })),
	'document.create': ofPdf('DOCUMENT'),
	'document.createAndSend': ofPdf('DOCUMENT'),
	'document.createUntilSigned': untilSigned(ofPdf('DOCUMENT')),
	'document.delete': ofDraft(({ id }) => ({ documentId: byId(id) })),
	'document.download': async (stage) => {
		const documentId = byId((await stage.completed()).id);
		const options = { alsoDownload: ['certificate', 'audit-log'] };
		return { parameters: { documentId }, others: [{ parameters: { documentId, options } }] };
	},
	'document.duplicate': ofDraft(({ id }) => ({ documentId: byId(id) })),
	'document.get': async (stage) =>
		oneAndTwo('documentId', [(await stage.document()).id, (await stage.document()).id]),
	'document.getAll': async (stage) => {
		await stage.document();
		return listed(stage, 'DOCUMENT');
	},
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
	'embedToken.verify': async (stage) => {
		const envelopeId = byId((await stage.document()).id);
		const create = { resource: 'embedToken', operation: 'create', envelopeId };
		const [made] = await stage.outputOf(create);
		return { parameters: { token: made?.token } };
	},
	'field.add': ofDraft(({ id, recipients }) => ({
		envelopeId: byId(id),
		recipientId: byId(recipients[0]?.id),
		type: 'TEXT',
		settings: { label: 'City' },
	})),
	'field.delete': ofDraft(({ fields }) => ({ fieldId: byId(fields[0]?.id) })),
	'field.get': ofDraft(({ fields }) => ({ fieldId: byId(fields[0]?.id) })),
	'field.move': ofDraft(({ id, fields }) => ({
		envelopeId: byId(id),
		fieldId: byId(fields[0]?.id),
		updateFields: { page: 2 },
	})),
	'field.update': ofDraft(({ fields }) => ({
		fieldId: byId(fields[0]?.id),
		type: 'SIGNATURE',
		settings: { label: 'Here' },
	})),
	'file.add': async (stage) => ({
		parameters: { envelopeId: byId((await stage.document()).id) },
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
	'folder.create': async (stage) => await Promise.resolve({ parameters: newFolder(stage) }),
	'folder.delete': ofFolder({}),
	'folder.getAll': async (stage) => {
		const { parameters } = await ofFolder({})(stage);
		const filters = stage.folders ? { parentId: stage.folders.DOCUMENT } : {};
		return { parameters: { ...parameters, filters } };
	},
	'folder.moveEnvelope': ofDraft(({ id }) => ({ envelopeId: byId(id) })),
	'folder.update': ofFolder({ updateFields: { name: 'Old deals' } }),
	'recipient.add': ofDraft(({ id }) => ({ envelopeId: byId(id), email: 'anna@example.com' })),
	'recipient.delete': ofDraft(({ recipients }) => ({ recipientId: byId(recipients[0]?.id) })),
	'recipient.get': ofDraft(({ recipients }) => ({ recipientId: byId(recipients[0]?.id) })),
	'recipient.getAll': async (stage) => {
		await stage.document('createAndSend');
		const parameters = { options: { addDates: true }, ...placeOf(stage, 'DOCUMENT') };
		const options = { includeSigningLinks: true };
		return { parameters, others: [{ parameters: { ...parameters, options } }] };
	},
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
	'template.create': ofPdf('TEMPLATE'),
	'template.createDocument': filled(ofTemplate()),
	'template.createDocumentUntilSigned': untilSigned(filled(ofTemplate())),
	'template.delete': ofTemplate(),
	'template.duplicate': ofTemplate(),
	'template.get': async (stage) => {
		const { id } = await stage.template();
		const duplicate = { resource: 'template', operation: 'duplicate', templateId: byId(id) };
		const [copy] = await stage.outputOf(duplicate);
		return oneAndTwo('templateId', [id, copy?.id]);
	},
	'template.getAll': async (stage) => {
		await stage.template();
		return listed(stage, 'TEMPLATE');
	},
	'template.checkDocuments': async (stage) => {
		const { parameters } = await filled(ofTemplate())(stage);
		const { columns, additionalFields } = parameters as Record<
			'columns' | 'additionalFields',
			object
		>;
		const withId = { ...additionalFields, externalId: `check-${Date.now()}` };
		const checked = { ...parameters, columns: columns as IDataObject, additionalFields: withId };
		const create = { resource: 'template', operation: 'createDocument', ...checked };
		await stage.outputOf({ ...create, send: false });
		const options = { saySinceWhen: true, alsoWithoutRow: true };
		const others = [
			{ parameters: { ...checked, columns: mapped(OTHER_TENANT), send: false, options } },
		];
		return { parameters: { ...checked, send: false }, others };
	},
	'template.previewDocument': filled(ofTemplate()),
	'template.update': ofTemplate({ updateFields: { title: 'Lease' } }),
	'templateDeprecated.createDocument': filled(ofNumber()),
	'templateDeprecated.delete': ofNumber(),
	'templateDeprecated.duplicate': ofNumber(),
	'templateDeprecated.get': ofNumber(),
	'templateDeprecated.getAll': async (stage) => {
		await stage.template();
		const filters = stage.folders ? { folderId: stage.folders.TEMPLATE } : {};
		return { parameters: { filters } };
	},
	'templateDeprecated.update': ofNumber({ updateFields: { title: 'Lease' } }),
};
