import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../api/envelope';
import { includesAll } from '../engine/progress';
import type { ExternalId } from './externalId';

/** `skipAcrossWorkers`: also if another n8n process creates one at the same moment. */
export type IfExternalIdExists = 'create' | 'skip' | 'skipAcrossWorkers' | 'fail';

/** What Map Automatically could not match. */
export interface Unmatched {
	/** Columns of the item that the template does not have, with the template's name that is nearly the same. */
	columns: Array<{ name: string; meant?: string }>;
	/** Fields of the template that the item has no column for: its recipients fill them in. */
	fields: string[];
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
	/** A hint tells it. */
	unmatched?: Unmatched;
	create(): Promise<{ id: string; json: IDataObject }>;
	/** The output for a document that an earlier request created, if it differs from the usual one. */
	describe?: (envelope: Envelope) => IDataObject;
}

/** Whether an existing document goes to the recipients of the new one. */
export function isFor(recipients: Array<{ email: string }>, { emails }: NewDocument): boolean {
	return includesAll(
		recipients.map(({ email }) => email),
		emails,
	);
}
