import { unlimited } from '../services.mjs';
import { deliveries, event } from '../subjects/deliveries.mjs';
import { webhookReceiver } from '../subjects/webhookReceiver.mjs';
import { thisNode } from '../targets.mjs';

const trigger = webhookReceiver(thisNode, ({ credentials }) => ({
	name: 'Documenso Trigger',
	type: 'n8n-nodes-documenso.documensoTrigger',
	typeVersion: 2,
	webhookId: 'bench-documenso',
	// Looking for missed events takes requests of its own.
	parameters: { events: [event], missedEvents: 'off' },
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

const count = 2000;

export const webhooks = {
	name: 'webhooks',
	title: '2,000 webhook deliveries, 50 at once',
	service: unlimited,
	size: count,
	warmUpSize: 100,
	runs: 1,
	needsFreshN8n: true,
	prepare: async ({ emulator, templates }, size) => ({
		count: size,
		// One more, because a receiver is tried out with the first.
		next: await deliveries(emulator, templates.rentalAgreement, size + 1),
	}),
	subjects: [trigger, webhook, bareTrigger],
	columns: ['perSecond', 'p50Ms', 'p99Ms', 'accepted', 'recorded', 'requests', 'peakMb'],
	headline: { metric: 'perSecond', title: 'Webhook deliveries a second' },
	targets: [
		{
			label: 'deliveries a second, over those of the Webhook node',
			metric: 'perSecond',
			over: webhook.name,
			atLeast: 1,
		},
		{ label: 'executions recorded', metric: 'recorded', atLeast: count },
		// Nothing in the trigger's settings asks for more than the delivery itself.
		{ label: 'requests to Documenso', metric: 'requests', atMost: 0 },
	],
};
