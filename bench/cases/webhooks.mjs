import { unlimited } from '../services.mjs';
import { deliveries, event } from '../subjects/deliveries.mjs';
import { httpRequest, webhook } from '../subjects/nodes.mjs';
import { receiverWithNext, single, webhookReceiver } from '../subjects/webhookReceiver.mjs';
import { thisNode } from '../targets.mjs';

/** Each has an ID of its own, because all are published in one n8n. */
const documensoTrigger = ({ credentials }, webhookId, parameters = {}) => ({
	name: 'Documenso Trigger',
	type: 'n8n-nodes-documenso.documensoTrigger',
	typeVersion: 2,
	webhookId,
	// Looking for missed events takes requests of its own.
	parameters: { events: [event], missedEvents: 'off', ...parameters },
	credentials: credentials.documensoApi,
	path: `${webhookId}/webhook`,
});

const webhookNode = ({ credentials }, path) => ({
	...webhook(path, { authentication: 'headerAuth' }),
	credentials: credentials.httpHeaderAuth,
	path,
});

const trigger = webhookReceiver(thisNode, (testbed) =>
	documensoTrigger(testbed, 'bench-documenso'),
);
const headerWebhook = webhookReceiver('Webhook node, header authentication', (testbed) =>
	webhookNode(testbed, 'bench-header'),
);

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
	// Two runs of one subject differ by up to a tenth.
	runs: 3,
	needsFreshN8n: true,
	prepare: async ({ emulator, templates }, size) => ({
		count: size,
		// One more, because a receiver is tried out with the first.
		next: await deliveries(emulator, templates.rentalAgreement, size + 1),
	}),
	subjects: [trigger, headerWebhook, bareTrigger],
	columns: ['perSecond', 'p50Ms', 'p99Ms', 'accepted', 'recorded', 'requests', 'peakMb'],
	headline: { metric: 'perSecond', title: 'Webhook deliveries a second' },
	targets: [
		{
			label: 'deliveries a second, over those of the Webhook node',
			metric: 'perSecond',
			over: headerWebhook.name,
			atLeast: 1,
		},
		{ label: 'executions recorded', metric: 'recorded', atLeast: count },
		// Nothing in the trigger's settings asks for more than the delivery itself.
		{ label: 'requests to Documenso', metric: 'requests', atMost: 0 },
	],
};

const withPdf = receiverWithNext(thisNode, {
	nodes: (testbed) => [
		documensoTrigger(testbed, 'bench-documenso-pdf', { enrich: ['signedFiles'] }),
	],
	externalId: '={{ $json.document.externalId }}',
});

const ofWebhook = '={{ $("Webhook").item.json.body.payload.externalId }}';

const webhookThenHttp = receiverWithNext('Webhook node, then HTTP Request', {
	note: 'one request for the ID of the file, and one for the file',
	nodes: (testbed) => [
		webhookNode(testbed, 'bench-header-pdf'),
		{
			...httpRequest(testbed, 'GET', '/envelope/{{ $json.body.payload.envelopeId }}'),
			name: 'Document',
		},
		{
			...httpRequest(testbed, 'GET', '/envelope/item/{{ $json.envelopeItems[0].id }}/download', {
				options: { response: { response: { responseFormat: 'file' } } },
			}),
			name: 'Signed PDF',
		},
	],
	externalId: ofWebhook,
});

const plain = receiverWithNext('this node, without the PDF', {
	nodes: (testbed) => [documensoTrigger(testbed, 'bench-documenso-next')],
	externalId: '={{ $json.document.externalId }}',
});

const webhookOnly = receiverWithNext('Webhook node, without the PDF', {
	nodes: (testbed) => [webhookNode(testbed, 'bench-header-next')],
	externalId: ofWebhook,
});

const withPdfCount = 500;

export const signedPdfs = {
	name: 'signed-pdfs',
	title: '500 webhook deliveries, 50 at once, each with the signed PDF; then 20 one after another',
	service: unlimited,
	size: withPdfCount,
	warmUpSize: 50,
	runs: 1,
	needsFreshN8n: true,
	prepare: async ({ emulator, templates }, size) => ({
		count: size,
		next: await deliveries(emulator, templates.mutualNda, size + single + 1, { isSigned: true }),
	}),
	subjects: [withPdf, webhookThenHttp, plain, webhookOnly],
	columns: ['perSecond', 'continued', 'eventP50Ms', 'requests', 'peakMb'],
	headline: { metric: 'perSecond', title: 'Webhook deliveries a second, with the signed PDF' },
	targets: [
		{
			label: 'executions a second, over those of the Webhook node and HTTP Request',
			metric: 'perSecond',
			over: webhookThenHttp.name,
			atLeast: 1,
		},
		{
			label: 'time to the next node, over that of the Webhook node and HTTP Request',
			metric: 'eventP50Ms',
			over: webhookThenHttp.name,
			atMost: 1,
		},
		{ label: 'executions that went on', metric: 'continued', atLeast: withPdfCount },
	],
};
