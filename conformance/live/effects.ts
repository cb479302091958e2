import type { IDataObject } from 'n8n-workflow';

/** An operation that was tried, or is about to be. */
export interface Tried {
	parameters: IDataObject;
	/** Its first item; empty until it has run. */
	output: IDataObject;
	/** What Documenso showed before; nothing if there was nothing. */
	before?: IDataObject;
	/** The run's folder for documents. */
	folder: string;
}

/** What Documenso shows once an operation has had its effect, and does not show before. */
export interface Effect {
	/** The endpoint that is read; empty while what it returns cannot exist. */
	at: (tried: Tried) => string;
	/** Part of what it returns. Of a list, some of the entries. */
	shows?: (tried: Tried) => IDataObject;
	/** Part of what it does not return. If it is empty, there is nothing at all. */
	lacks?: (tried: Tried) => IDataObject;
	/** The body, if the endpoint is a POST. */
	body?: (tried: Tried) => IDataObject;
}

/** The answer of an endpoint, or nothing if it does not find what is asked for. */
export type Read = (path: string, body?: IDataObject) => Promise<IDataObject | undefined>;

/** Reads what an effect is about. */
export async function look({ at, body }: Effect, tried: Tried, read: Read) {
	const path = at(tried);
	return path === '' ? undefined : await read(path, body?.(tried));
}

export function holds({ shows, lacks }: Effect, tried: Tried, seen: unknown): boolean {
	const lacking = lacks?.(tried);
	// If even what it would be in is gone, something else has happened.
	const isGone = seen === undefined && lacking !== undefined && Object.keys(lacking).length > 0;
	if (isGone) return false;
	return (!shows || contains(seen, shows(tried))) && (!lacking || !contains(seen, lacking));
}

function contains(whole: unknown, part: unknown): boolean {
	if (typeof part !== 'object' || part === null) return whole === part;
	if (typeof whole !== 'object' || whole === null) return false;
	if (!Array.isArray(part)) {
		return Object.entries(part).every(([key, one]) =>
			contains((whole as Record<string, unknown>)[key], one),
		);
	}
	return Array.isArray(whole) && part.every((one) => whole.some((entry) => contains(entry, one)));
}

/** An ID is chosen from a list, or typed. */
function idIn({ parameters }: Tried, name: string): unknown {
	const given = parameters[name];
	return typeof given === 'object' && given !== null && 'value' in given ? given.value : given;
}

/** The endpoint that returns what an input names. */
const named = (path: string, input: string) => (tried: Tried) =>
	`${path}${String(idIn(tried, input))}`;
const envelope = named('/envelope/', 'envelopeId');
const document = named('/envelope/', 'documentId');
const template = named('/envelope/', 'templateId');
const numbered = named('/template/', 'templateNumber');
const field = named('/envelope/field/', 'fieldId');
const recipient = named('/envelope/recipient/', 'recipientId');
const attachments = named('/envelope/attachment?envelopeId=', 'envelopeId');
const subfolders = ({ folder }: Tried) => `/folder?type=DOCUMENT&perPage=100&parentId=${folder}`;

/** The endpoint that returns what the operation says it has made, unless that was there before. */
const made =
	(path: string, key = 'id') =>
	(tried: Tried) => {
		const id = tried.output[key] as string | number | undefined;
		const isNew = !Object.keys(tried.parameters).some((name) => idIn(tried, name) === id);
		return id !== undefined && isNew ? `${path}${id}` : '';
	};
const newEnvelope = made('/envelope/');
const newField = made('/envelope/field/');
const newRecipient = made('/envelope/recipient/');

const always = (part: IDataObject) => () => part;
const gone = always({});
const status = (value: string) => always({ status: value });
const title = (value: string) => always({ title: value });

const entry = (input: string) => (tried: Tried) => ({ data: [{ id: idIn(tried, input) }] });
const fileIn = (tried: Tried, changes: IDataObject = {}) => ({
	envelopeItems: [{ id: idIn(tried, 'envelopeItemId'), ...changes }],
});
const fieldOn = (page: number) => always({ fields: [{ page }] });
const link = (enabled: boolean) => always({ directLink: { enabled } });
const filledIn = ({ folder: folderId }: Tried) => ({
	...{ type: 'DOCUMENT', folderId, recipients: [{ email: 'tina@example.com' }] },
	fields: [{ type: 'NUMBER', fieldMeta: { value: '900' } }],
});

/** What the stage's contract asks for. */
interface Asked {
	title: string;
	recipients: { recipient: Array<{ email: string; name: string; role: string }> };
	fields: { field: Array<{ type: string; page: number; positionX: number; positionY: number }> };
	additionalFields: { folderId: string; distributionMethod: string };
}

const asAsked = (changes: IDataObject) => (tried: Tried) => {
	const { title, recipients, fields, additionalFields } = tried.parameters as unknown as Asked;
	const { folderId, distributionMethod } = additionalFields;
	return {
		...{ title, folderId, documentMeta: { distributionMethod }, ...changes },
		recipients: recipients.recipient.map(({ email, name, role }) => ({ email, name, role })),
		fields: fields.field.map(({ type, page }) => ({ type, page })),
	};
};

/** The only recipient of the stage's contract, and their only field. */
const copied = (changes: IDataObject) =>
	always({
		...changes,
		recipients: [{ email: 'tenant@example.com' }],
		fields: [{ type: 'SIGNATURE' }],
	});

const deadlinesIn = (envelopeBefore: IDataObject = {}) =>
	(envelopeBefore.recipients as IDataObject[]).map(({ id, expiresAt }) => ({ id, expiresAt }));

/** By operation; those that are not here change nothing. */
export const effects: Record<string, Effect> = {
	'attachment.create': {
		at: attachments,
		shows: ({ output }) => ({ data: [{ id: output.id, label: 'Rules' }] }),
	},
	'attachment.delete': { at: attachments, lacks: entry('attachmentId') },
	'attachment.update': { at: attachments, shows: always({ data: [{ label: 'New' }] }) },
	'directLink.create': { at: template, shows: link(true) },
	'directLink.delete': { at: template, lacks: always({ directLink: {} }) },
	'directLink.disable': { at: template, shows: link(false) },
	'directLink.enable': { at: template, shows: link(true) },
	'document.cancel': { at: document, shows: status('CANCELLED') },
	'document.create': { at: newEnvelope, shows: asAsked({ status: 'DRAFT' }) },
	'document.createAndSend': { at: newEnvelope, shows: asAsked({ status: 'PENDING' }) },
	// The stage rejects what is waited for.
	'document.createUntilSigned': { at: newEnvelope, shows: asAsked({ status: 'REJECTED' }) },
	'document.delete': { at: document, lacks: gone },
	'document.duplicate': { at: newEnvelope, shows: copied({ status: 'DRAFT' }) },
	// It sends no email here, but renews the deadline.
	'document.resend': { at: document, lacks: ({ before }) => ({ recipients: deadlinesIn(before) }) },
	'document.send': { at: document, shows: status('PENDING') },
	'document.sendUntilSigned': { at: document, shows: status('REJECTED') },
	'document.update': { at: document, shows: title('New lease') },
	'embedToken.create': {
		at: ({ output }) => (output.token === undefined ? '' : '/embedding/verify-presign-token'),
		body: ({ output: { token } }) => ({ token }),
		shows: always({ success: true }),
	},
	'field.add': { at: newField, shows: always({ fieldMeta: { label: 'City' } }) },
	'field.delete': { at: field, lacks: gone },
	'field.move': { at: envelope, shows: fieldOn(2), lacks: fieldOn(1) },
	'field.update': { at: field, shows: always({ fieldMeta: { label: 'Here' } }) },
	'file.add': {
		at: envelope,
		shows: ({ output }) => ({ envelopeItems: [{ id: output.id }] }),
	},
	'file.delete': { at: envelope, lacks: fileIn },
	'file.update': { at: envelope, shows: (tried) => fileIn(tried, { title: 'Lease' }) },
	'folder.create': {
		at: subfolders,
		shows: ({ output }) => ({ data: [{ id: output.id, name: 'Deals' }] }),
	},
	'folder.delete': { at: subfolders, lacks: entry('folderId') },
	'folder.moveEnvelope': { at: envelope, shows: always({ folderId: null }) },
	'folder.update': { at: subfolders, shows: always({ data: [{ name: 'Old deals' }] }) },
	'recipient.add': { at: newRecipient, shows: always({ email: 'anna@example.com' }) },
	'recipient.delete': { at: recipient, lacks: gone },
	'recipient.rejectOnBehalf': { at: recipient, shows: always({ signingStatus: 'REJECTED' }) },
	'recipient.update': { at: recipient, shows: always({ name: 'Tina Turner' }) },
	'template.create': { at: newEnvelope, shows: asAsked({ type: 'TEMPLATE' }) },
	'template.createDocument': { at: newEnvelope, shows: filledIn },
	'template.createDocumentUntilSigned': {
		at: newEnvelope,
		shows: (tried) => ({ ...filledIn(tried), status: 'REJECTED' }),
	},
	'template.delete': { at: template, lacks: gone },
	'template.duplicate': { at: newEnvelope, shows: always({ type: 'TEMPLATE' }) },
	'template.update': { at: template, shows: title('Lease') },
	'templateDeprecated.createDocument': { at: made('/envelope/', 'envelopeId'), shows: filledIn },
	'templateDeprecated.delete': { at: numbered, lacks: gone },
	'templateDeprecated.duplicate': {
		at: made('/envelope/', 'envelopeId'),
		shows: always({ type: 'TEMPLATE' }),
	},
	'templateDeprecated.update': { at: numbered, shows: title('Lease') },
};
