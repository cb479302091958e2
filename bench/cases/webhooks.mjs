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

/** Deliveries as the local Documenso sends them, each for another document that exists. */
async function deliveries({ emulator, templates }, count) {
	// One more, because a receiver is tried out with the first.
	const ids = await emulator.makeDocuments(templates.rentalAgreement.id, count + 1);
	await emulator.registerWebhook({ url: closedPort, events: [event] });
	await emulator.deliver(event, ids[0]);
	const body = await firstDelivery(emulator);
	let index = 0;
	return { count, next: () => JSON.stringify(about(ids, index++ % ids.length, body)) };
}

let made = 0;

/** The documents were made one after another, and so were their numbers. */
function about(ids, index, { payload, ...body }) {
	// After a reset the local Documenso may use the same IDs again: these would be duplicate deliveries.
	const externalId = `delivery-${++made}`;
	const document = { id: payload.id + index, envelopeId: ids[index], externalId };
	return { ...body, payload: { ...payload, ...document } };
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
	columns: ['perSecond', 'p50Ms', 'p99Ms', 'accepted', 'recorded', 'requests', 'peakMb'],
	headline: { metric: 'perSecond', title: 'Webhook deliveries a second' },
	targets: [
		{
			label: 'deliveries a second, over those of the Webhook node',
			metric: 'perSecond',
			over: webhook.name,
			atLeast: 1.2,
		},
		{ label: 'executions recorded', metric: 'recorded', atLeast: count },
		// Nothing in the trigger's settings asks for more than the delivery itself.
		{ label: 'requests to Documenso', metric: 'requests', atMost: 0 },
	],
};
