import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Credential } from './n8n';
import type { TriggerOptions, TriggerServer } from './webhook';
import { serveTrigger } from './webhook';
import { credentialFor } from './service';
import type { Suite } from './suite';

export const SECRET = 'the secret of the webhook';

/** Of a delivery that carries it. */
export const HEADERS = { 'Content-Type': 'application/json', 'X-Documenso-Secret': SECRET };

/** Triggers that the suite's service delivers to; those of one test are closed after it. */
export function useTrigger(suite: Suite) {
	const open: TriggerServer[] = [];
	afterEach(async () => {
		await Promise.all(open.splice(0).map(async (server) => await server.close()));
	});

	async function serve(
		parameters: IDataObject,
		{ credential: changes, ...options }: TriggerOptions & { credential?: Partial<Credential> } = {},
	) {
		const credential = credentialFor(suite.service, { webhookSecret: SECRET, ...changes });
		const server = await serveTrigger(credential, { events: ['*'], ...parameters }, options);
		open.push(server);
		return server;
	}

	return {
		serve,
		/** A trigger of a published workflow that gets every event of the service, as if its webhook had been registered by hand. */
		async listen(parameters: IDataObject, options?: TriggerOptions) {
			const server = await serve(parameters, options);
			await server.publish();
			suite.service.calls.length = 0;
			suite.service.webhooks.add({ url: server.url, secret: SECRET });
			return server;
		},
	};
}

/** The item of the only execution that began. */
export function onlyItem({ items }: TriggerServer): INodeExecutionData {
	const [item] = items;
	if (!item || items.length > 1) throw new Error(`${items.length} items instead of one`);
	return item;
}
