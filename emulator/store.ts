import type { Attachment, Envelope, EnvelopeItem, Field, Folder, Recipient } from './entities';
import type { StoredFile } from './files';
import { Ids } from './ids';

/** The data of one emulator. Envelopes own their recipients, fields, items and attachments. */
export class Store {
	ids = new Ids();
	/** In order of creation. */
	readonly envelopes = new Map<string, Envelope>();
	readonly folders = new Map<string, Folder>();

	get documents(): Envelope[] {
		return [...this.envelopes.values()].filter((envelope) => envelope.type === 'DOCUMENT');
	}

	get templates(): Envelope[] {
		return [...this.envelopes.values()].filter((envelope) => envelope.type === 'TEMPLATE');
	}

	findItem(itemId: string): { envelope: Envelope; item: EnvelopeItem } | undefined {
		return this.findIn((envelope) => {
			const item = envelope.items.find(({ id }) => id === itemId);
			return item && { envelope, item };
		});
	}

	findFile(documentDataId: string): StoredFile | undefined {
		return this.findIn(({ items }) => items.find((item) => item.documentDataId === documentDataId))
			?.signed;
	}

	findByToken(token: string): { envelope: Envelope; recipient: Recipient } | undefined {
		return this.findIn((envelope) => {
			const recipient = envelope.recipients.find((candidate) => candidate.token === token);
			return recipient && { envelope, recipient };
		});
	}

	findRecipient(recipientId: number): { envelope: Envelope; recipient: Recipient } | undefined {
		return this.findIn((envelope) => {
			const recipient = envelope.recipients.find(({ id }) => id === recipientId);
			return recipient && { envelope, recipient };
		});
	}

	findField(fieldId: number): { envelope: Envelope; field: Field } | undefined {
		return this.findIn((envelope) => {
			const field = envelope.fields.find(({ id }) => id === fieldId);
			return field && { envelope, field };
		});
	}

	findAttachment(attachmentId: string): { envelope: Envelope; attachment: Attachment } | undefined {
		return this.findIn((envelope) => {
			const attachment = envelope.attachments.find(({ id }) => id === attachmentId);
			return attachment && { envelope, attachment };
		});
	}

	clear(): void {
		this.ids = new Ids();
		this.envelopes.clear();
		this.folders.clear();
	}

	private findIn<T>(pick: (envelope: Envelope) => T | undefined): T | undefined {
		for (const envelope of this.envelopes.values()) {
			const found = pick(envelope);
			if (found !== undefined) return found;
		}
		return undefined;
	}
}
