import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../api/envelope';
import type { ExternalId } from './externalId';

/** A document that an item asks for: everything is checked, and nothing is created yet. */
export interface NewDocument {
	externalId: ExternalId;
	/** The known addresses of all recipients: other items may have the same external ID. */
	emails: string[];
	folderId?: string;
	/** Whether it is sent: by the request that creates it, or by a second one. */
	sending: 'no' | 'whileCreating' | 'afterwards';
	ifExternalIdExists: 'create' | 'skip' | 'fail';
	ifSendingFails: 'keep' | 'delete';
	create(): Promise<{ id: string; json: IDataObject }>;
	/** The output for a document that an earlier request created, if it differs from the usual one. */
	describe?: (envelope: Envelope) => IDataObject;
}
