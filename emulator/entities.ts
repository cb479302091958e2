import type { FieldMeta, FieldType } from './schemas/fields';
import type { DocumentMeta } from './schemas/meta';
import type { StoredFile } from './files';

export type EnvelopeType = 'DOCUMENT' | 'TEMPLATE';
export type EnvelopeStatus = 'DRAFT' | 'PENDING' | 'COMPLETED' | 'REJECTED' | 'CANCELLED';
/** How advanced the signatures are: anybody's, or those of a signing service. */
export type SignatureLevel = 'SES' | 'AES' | 'QES';
export type Visibility = 'EVERYONE' | 'MANAGER_AND_ABOVE' | 'ADMIN';
export type RecipientRole = 'CC' | 'SIGNER' | 'VIEWER' | 'APPROVER' | 'ASSISTANT';

export interface User {
	id: number;
	name: string;
	email: string;
}

export interface Team {
	id: number;
	url: string;
	name: string;
	/** What was sent from this address or to it in any team, the team has too. */
	email?: string;
	/** Every new document gets them, too. */
	defaultRecipients?: Array<Pick<Recipient, 'email' | 'name' | 'role'>>;
}

export interface Recipient {
	id: number;
	email: string;
	name: string;
	token: string;
	role: RecipientRole;
	signingOrder: number | null;
	readStatus: 'NOT_OPENED' | 'OPENED';
	signingStatus: 'NOT_SIGNED' | 'SIGNED' | 'REJECTED';
	sendStatus: 'NOT_SENT' | 'SENT';
	expiresAt: Date | null;
	expirationNotifiedAt: Date | null;
	signedAt: Date | null;
	rejectionReason: string | null;
	/** When the recipient, who has an account, deleted the document for themselves. */
	documentDeletedAt?: Date;
	authOptions: { accessAuth: string[]; actionAuth: string[] } | null;
}

export interface Field {
	id: number;
	/** A cuid, unlike an envelope's. */
	secondaryId: string;
	envelopeItemId: string;
	recipientId: number;
	type: FieldType;
	page: number;
	/** Positions and sizes are percentages of the page. */
	positionX: number;
	positionY: number;
	width: number;
	height: number;
	/** For a radio the index of its option, for a checkbox a JSON array of indices. */
	customText: string;
	inserted: boolean;
	fieldMeta: FieldMeta | null;
	/** The text in a signature field, or a picture as data URL; the API never returns it. */
	signature: string | null;
}

export interface EnvelopeItem {
	id: string;
	documentDataId: string;
	title: string;
	order: number;
	original: StoredFile;
	/** The file for `version=signed`: the original until the envelope is sealed. */
	signed: StoredFile;
}

export interface Attachment {
	id: string;
	label: string;
	data: string;
}

/** A link with which anybody can fill in a template: `/d/{token}`. */
export interface DirectLink {
	/** A cuid. */
	id: string;
	token: string;
	enabled: boolean;
	createdAt: Date;
	directTemplateRecipientId: number;
}

/** One line of an envelope's history, as the audit log returns it. */
export interface AuditEntry {
	/** A cuid. */
	id: string;
	createdAt: Date;
	envelopeId: string;
	name: string | null;
	email: string | null;
	userId: number | null;
	userAgent: string | null;
	ipAddress: string | null;
	type: string;
	data: object;
}

export interface Envelope {
	id: string;
	/** The number inside `secondaryId`. Documents and templates are counted separately. */
	legacyId: number;
	/** 1 for envelopes that the deprecated endpoints create. */
	internalVersion: 1 | 2;
	type: EnvelopeType;
	status: EnvelopeStatus;
	source: EnvelopeType | 'TEMPLATE_DIRECT_LINK';
	/** The API does not return it. */
	signatureLevel: SignatureLevel;
	visibility: Visibility;
	templateType: 'PUBLIC' | 'PRIVATE' | 'ORGANISATION';
	title: string;
	/** Shown where a template is offered to everyone. */
	publicTitle: string;
	publicDescription: string;
	/** Only the deprecated endpoints know it; nothing here depends on it. */
	useLegacyFieldInsertion: boolean;
	externalId: string | null;
	authOptions: { globalAccessAuth: string[]; globalActionAuth: string[] };
	formValues: Record<string, string | number | boolean> | null;
	createdAt: Date;
	updatedAt: Date;
	completedAt: Date | null;
	deletedAt: Date | null;
	user: User;
	team: Team;
	folderId: string | null;
	/** The number of the template this document was created from. */
	templateId: number | null;
	documentMeta: DocumentMeta & { id: string };
	recipients: Recipient[];
	fields: Field[];
	/** As the database stores them, which is not the order of their numbers. */
	items: EnvelopeItem[];
	attachments: Attachment[];
	/** Oldest first. */
	auditLog: AuditEntry[];
	directLink: DirectLink | null;
}

export interface Folder {
	id: string;
	name: string;
	userId: number;
	teamId: number;
	parentId: string | null;
	pinned: boolean;
	createdAt: Date;
	updatedAt: Date;
	visibility: Visibility;
	type: EnvelopeType;
}
