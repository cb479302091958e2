import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { HttpClient, type Client } from '../Documenso/api/client';
import type { Credential } from '../Documenso/api/exchange';
import { path } from '../Documenso/api/path';
import type { Settings } from './inputs';
import type { Delivery } from './parse';

/** What the steps of one delivery read from Documenso, within the time for fetching. */
export class Lookup {
	private reading?: Promise<IDataObject>;

	private constructor(
		readonly client: Client,
		/** Aborts when the time for fetching is over. */
		readonly deadline: AbortSignal,
		private readonly envelopeId: string,
	) {}

	static async of(
		context: IWebhookFunctions,
		credential: Credential,
		{ event }: Delivery,
		{ fetchingMs }: Settings,
	): Promise<Lookup> {
		const deadline = AbortSignal.timeout(fetchingMs);
		const client = await HttpClient.of(context, { credential, deadline });
		return new Lookup(client, deadline, event.subject.envelopeId);
	}

	/** The document or template as Documenso has it now. All steps share one request. */
	async document(): Promise<IDataObject> {
		this.reading ??= this.client.get(path`/envelope/${this.envelopeId}`);
		return await this.reading;
	}

	/** The same if a step has already read it. Sends no request. */
	async documentIfRead(): Promise<IDataObject | undefined> {
		return await this.reading?.catch(() => undefined);
	}
}
