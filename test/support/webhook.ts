import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { webhookContext, type Credential } from './n8n';

export interface TriggerServer {
	url: string;
	/** What each started execution would begin with. */
	executions: INodeExecutionData[][][];
	close(): Promise<void>;
}

/**
 * Stands for n8n's webhook server: reads the body, asks the trigger, and answers as n8n 2.40 does for a
 * trigger that responds when the request is received.
 */
export async function serveTrigger(
	credential: Credential,
	parameters: IDataObject,
): Promise<TriggerServer> {
	const executions: INodeExecutionData[][][] = [];
	const server = createServer((request, response) => {
		void answer(request, response);
	});

	async function answer(request: IncomingMessage, response: ServerResponse) {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
		const context = webhookContext(credential, parameters, {
			request: Object.assign(request, { body }),
			response: Object.assign(response, {
				status(code: number) {
					response.statusCode = code;
					return response;
				},
			}),
		});
		const result = await new DocumensoTrigger().webhook.call(context);
		if (result.workflowData) executions.push(result.workflowData);
		if (!result.noWebhookResponse) response.end(JSON.stringify(result.webhookResponse));
	}

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/webhook/documenso`,
		executions,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
