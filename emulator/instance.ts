import type { Envelope, SignatureLevel } from './entities';
import type { FileStore } from './files';
import type { Jobs } from './jobs';
import type { PdfTextReader } from './pdf/textReader';
import type { Store } from './store';
import type { WebhookEvent } from './webhooks/events';

/** What operations need of the running Documenso. */
export interface Instance {
	readonly store: Store;
	readonly files: FileStore;
	readonly jobs: Jobs;
	readonly pdfText: PdfTextReader;
	/** How long a finished document stays PENDING before its sealing job runs. */
	readonly sealDelayMs: number;
	readonly convertsWordFiles: boolean;
	/** Of new documents: with a signing service, all have its signatures. */
	readonly signatureLevel: SignatureLevel;
	now(): Date;
	/** Origin and base path, without a slash at the end. */
	baseUrl(): string;
	/** `teamId` is whose webhooks get the event; the default is the envelope's team. */
	emit(event: WebhookEvent, envelope: Envelope, teamId?: number): void;
	/** The client of the current request; missing when the service acts by itself. */
	readonly client?: Client;
}

/** What the audit log records of a request. */
export interface Client {
	userAgent: string | null;
	ipAddress: string | null;
	/** Of the API token's team, if there is one. */
	teamName?: string;
}

export function signingUrl(instance: Instance, token: string): string {
	return `${instance.baseUrl()}/sign/${token}`;
}
