import type { IDataObject } from 'n8n-workflow';

import type { z } from 'zod';

import { envelopeSchema } from '../api/envelope';
import type { ExternalId } from './externalId';

/** What the node reads of a document that is there. */
export const existingSchema = envelopeSchema
	.pick({
		...{ id: true, secondaryId: true, status: true, title: true },
		...{ externalId: true, team: true, recipients: true },
	})
	// Only older endpoints number documents.
	.partial({ secondaryId: true });

export type Existing = z.infer<typeof existingSchema>;

/** `skipAcrossWorkers`: also if another n8n process creates one at the same moment. */
export type IfExternalIdExists = 'create' | 'skip' | 'skipAcrossWorkers' | 'fail';

/** What is left to the recipients on purpose. */
export interface LeftBlank {
	fields: string[];
	/** The columns of the item that match nothing: one of them may have been meant for a field. */
	columns: string[];
}

/** What the answer to a creation tells. */
export interface Created {
	id: string;
	/** The addresses that it is for, where the answer contains them. */
	emails?: string[];
	json: IDataObject;
}

/** A document that an item asks for: everything is checked, and nothing is created yet. */
export interface NewDocument {
	externalId: ExternalId;
	/** The known addresses of all recipients: other items may have the same external ID. */
	emails: string[];
	folderId?: string;
	/** Whether it is sent: by the request that creates it, or by a second one. */
	sending: 'no' | 'whileCreating' | 'afterwards';
	ifExternalIdExists: IfExternalIdExists;
	ifSendingFails: 'keep' | 'delete';
	/** What it holds was approved: a draft that is there must not be sent in its place. */
	isApproved?: boolean;
	/** A hint tells it. */
	leftBlank?: LeftBlank;
	/** Creates it; only as a draft unless `isToBeSent`. */
	create(isToBeSent: boolean): Promise<Created>;
	/** The output for a document that an earlier request created, if it differs from the usual one. */
	describe?: (existing: Existing) => IDataObject;
}

/** Whether a document goes to the recipients of the new one. It may have others: a team adds its default recipients. */
export function isFor(recipients: Array<{ email: string }>, { emails }: NewDocument): boolean {
	return includesAll(
		recipients.map(({ email }) => email),
		emails,
	);
}

/** Documenso stores addresses in lower case. */
export function includesAll(emails: string[], wanted: string[]): boolean {
	const known = new Set(emails.map((email) => email.toLowerCase()));
	return wanted.every((email) => known.has(email.toLowerCase()));
}

/** Whether the external ID alone says which document it is. Otherwise others may have the same. */
export function isIdentified({ externalId, ifExternalIdExists }: NewDocument): boolean {
	return externalId.source === 'own' || ifExternalIdExists !== 'create';
}
