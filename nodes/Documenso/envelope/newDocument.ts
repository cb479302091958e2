import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../api/envelope';
import type { Made } from '../engine/progress';
import type { ExternalId } from './externalId';

/** A document that an item asks for: everything is checked, and nothing is created yet. */
export interface NewDocument {
	externalId: ExternalId;
	/** The known addresses of all recipients, because other items may have the same external ID. */
	emails: string[];
	folderId?: string;
	/** Whether it is sent: by the request that creates it, or by a second one. */
	sending: 'no' | 'whileCreating' | 'afterwards';
	ifExternalIdExists: 'create' | 'skip' | 'fail';
	ifSendingFails: 'keep' | 'delete';
	create(): Promise<Created>;
	/** The output for a document that was not created by this very request. */
	describe?: (envelope: Envelope) => IDataObject;
}

/** What a creation answers. */
export interface Created {
	id: string;
	json: IDataObject;
}

/** What tells the document from others. */
export function madeFor({ externalId, emails }: NewDocument): Made {
	return { externalId: externalId.value, emails };
}
