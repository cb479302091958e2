import { setTimeout as sleep } from 'node:timers/promises';

import { unlimited } from '../services.mjs';
import { webhookReceiver } from '../subjects/webhookReceiver.mjs';
import { thisNode } from '../targets.mjs';

const event = 'DOCUMENT_COMPLETED';
/** No program listens there: only the body that would be delivered matters. */
const closedPort = 'http://127.0.0.1:9/';

const trigger = webhookReceiver(thisNode, ({ credentials }) => ({
	name: 'Documenso Trigger',
	type: 'n8n-nodes-documenso.documensoTrigger',
	typeVersion: 2,
	webhookId: 'bench-documenso',
	parameters: { events: [event] },
	credentials: credentials.documensoApi,
	path: 'bench-documenso/webhook',
}));

const webhook = webhookReceiver('Webhook node, header authentication', ({ credentials }) => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2.1,
	webhookId: 'bench-header',
	parameters: {
		path: 'bench-header',
		httpMethod: 'POST',
		authentication: 'headerAuth',
		responseMode: 'onReceived',
		options: {},
	},
	credentials: credentials.httpHeaderAuth,
	path: 'bench-header',
}));

const bareTrigger = webhookReceiver('bare trigger, no authentication', () => ({
	name: 'Bare Trigger',
	type: 'CUSTOM.bareTrigger',
	typeVersion: 2,
	webhookId: 'bench-bare',
	parameters: {},
	path: 'bench-bare/webhook',
}));

/** A delivery as the local Documenso sends it, each time for another document. */
async function deliveries({ emulator, templates }, count) {
	const [id] = await emulator.makeDocuments(templates.rentalAgreement.id, 1);
	await emulator.registerWebhook({ url: closedPort, events: [event] });
	await emulator.deliver(event, id);
	const body = await firstDelivery(emulator);
	return { count, next: () => JSON.stringify(aboutAnotherDocument(body)) };
}

let documents = 0;

function aboutAnotherDocument({ payload, ...body }) {
	documents += 1;
	const envelopeId = `envelope_${String(documents).padStart(17, '0')}`;
	return { ...body, payload: { ...payload, id: documents, envelopeId } };
}

async function firstDelivery(emulator) {
	for (;;) {
		const [delivery] = (await emulator.state()).deliveries;
		if (delivery) return delivery.body;
		await sleep(50);
	}
}

const count = 2000;

export const webhooks = {
	name: 'webhooks',
	title: '2,000 webhook deliveries, 50 at once',
	service: unlimited,
	size: count,
	warmUpSize: 100,
	runs: 1,
	needsFreshN8n: true,
	prepare: deliveries,
	subjects: [trigger, webhook, bareTrigger],
	columns: ['perSecond', 'p50Ms', 'p99Ms', 'accepted', 'recorded', 'peakMb'],
	headline: { metric: 'perSecond', title: 'Webhook deliveries a second' },
	targets: [
		{
			label: 'deliveries a second, over those of the Webhook node',
			metric: 'perSecond',
			over: webhook.name,
			atLeast: 1.2,
		},
		{ label: 'executions recorded', metric: 'recorded', atLeast: count },
	],
};
