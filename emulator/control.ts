import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Envelope } from './entities';
import { AppError } from './errors';
import { itemsByOrder } from './envelopes/items';
import { useTemplate } from './envelopes/use';
import { drawSignedPdf } from './pdf/signedPdf';
import type { Caller } from './http/auth';
import type { CallLog } from './http/calls';
import { contentDisposition } from './http/contentDisposition';
import { faultSchema, type Faults } from './http/faults';
import { signingUrl, type Instance } from './instance';
import { fileName } from './pages/fileName';
import type { WebhookDispatcher } from './webhooks/dispatcher';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhooks/events';

export interface ControlOptions {
	instance: Instance;
	webhooks: WebhookDispatcher;
	calls: CallLog;
	faults: Faults;
	/** The user who creates documents. */
	owner: Caller;
	reset: () => Promise<void>;
	deliver: (event: WebhookEvent, envelopeId: string, times: number) => void;
	expire: (recipientId: number) => void;
}

const webhookSchema = z
	.object({
		url: z.string().url(),
		events: z.array(z.enum(WEBHOOK_EVENTS)).optional(),
		secret: z.string().optional(),
		enabled: z.boolean().optional(),
		teamId: z.number().optional(),
	})
	.strict();

const event = z.enum(WEBHOOK_EVENTS);
const testSchema = z.object({ event }).strict();
/** The delivery's index in `deliveries` of the state; -1 is the last one. */
const resendSchema = z.object({ delivery: z.number().int() }).strict();
const deliverSchema = z
	.object({ event, envelopeId: z.string(), times: z.number().int().min(1).default(1) })
	.strict();
const fileVersion = z.enum(['original', 'signed', 'pending']).default('original');
const expireSchema = z.object({ recipientId: z.number().int() }).strict();

const documentsSchema = z
	.object({
		templateId: z.string(),
		count: z.number().int().min(1),
		isSent: z.boolean().default(false),
	})
	.strict();

/** A header that no page of another site can send, because the browser would ask for permission first. */
const CONTROL_HEADER = 'x-emulator-control';

/** Routes that the real service does not have: they show the state and determine what happens next. */
export async function controlPlane(scope: FastifyInstance, options: ControlOptions) {
	const { instance } = options;

	scope.setErrorHandler((error, _request, reply) => {
		if (error instanceof AppError) return reply.code(404).send({ message: error.message });
		if (!(error instanceof z.ZodError)) return reply.send(error);
		return reply.code(400).send({ message: 'Invalid request', issues: error.issues });
	});

	scope.get('/health', () => ({ status: 'ok' }));

	// The list of documents links to it.
	scope.get<{ Params: { itemId: string }; Querystring: { version?: string } }>(
		'/files/:itemId',
		async ({ params, query }, reply) => {
			const found = instance.store.findItem(params.itemId);
			if (!found) return await reply.code(404).send({ message: 'No such file' });
			const { envelope, item } = found;
			const version = fileVersion.parse(query.version);
			const content =
				version === 'pending'
					? await drawSignedPdf(envelope, item, 'none', instance.now())
					: await item[version].read();
			return await reply
				.type('application/pdf')
				.header(
					'content-disposition',
					contentDisposition('inline', fileName(envelope, item, version)),
				)
				.send(Buffer.from(content));
		},
	);

	await scope.register(controls, { ...options, prefix: '' });
}

async function controls(scope: FastifyInstance, options: ControlOptions) {
	const { instance, webhooks, calls, faults, owner, reset, deliver, expire } = options;

	scope.addHook('onRequest', async ({ headers }, reply) => {
		if (headers[CONTROL_HEADER] !== undefined) return undefined;
		return await reply.code(403).send({ message: `Send the header "${CONTROL_HEADER}: 1".` });
	});

	scope.get('/state', () => ({
		documents: instance.store.documents.map((document) => describe(instance, document)),
		templates: instance.store.templates.map((template) => describe(instance, template)),
		webhooks: webhooks.list(),
		deliveries: webhooks.deliveries,
		// Events that are being delivered.
		delivering: webhooks.pending.length,
	}));

	scope.get('/calls', () => calls.calls);

	scope.get('/counts', () => calls.counts());

	scope.delete('/calls', () => {
		calls.clear();
		return { success: true };
	});

	// Uses the template `count` times, without API calls or delays.
	scope.post('/documents', async ({ body }) => {
		const { templateId, count, isSent } = documentsSchema.parse(body);
		const ids: string[] = [];
		while (ids.length < count) {
			const externalId = `made-${ids.length + 1}`;
			const payload = { envelopeId: templateId, externalId, distributeDocument: isSent };
			ids.push((await useTemplate(instance, owner, payload, [])).id);
		}
		return { ids };
	});

	scope.post('/webhooks', ({ body }) => {
		webhooks.add(webhookSchema.parse(body));
		return { success: true };
	});

	scope.delete('/webhooks', () => {
		webhooks.clear();
		return { success: true };
	});

	scope.post('/webhooks/test', ({ body }) => {
		webhooks.test(testSchema.parse(body).event);
		return { success: true };
	});

	scope.post('/webhooks/resend', ({ body }) => {
		webhooks.resend(resendSchema.parse(body).delivery);
		return { success: true };
	});

	scope.post('/webhooks/pause', () => {
		webhooks.pause();
		return { success: true };
	});

	scope.post('/webhooks/resume', () => {
		webhooks.resume();
		return { success: true };
	});

	scope.post('/deliver', ({ body }) => {
		const { event, envelopeId, times } = deliverSchema.parse(body);
		deliver(event, envelopeId, times);
		return { success: true };
	});

	scope.post('/expire', ({ body }) => {
		expire(expireSchema.parse(body).recipientId);
		return { success: true };
	});

	scope.post('/faults', ({ body }) => {
		faults.add(faultSchema.parse(body));
		return { success: true };
	});

	scope.delete('/faults', () => {
		faults.clear();
		return { success: true };
	});

	scope.post('/reset', async () => {
		await reset();
		return { success: true };
	});
}

function describe(instance: Instance, envelope: Envelope) {
	const { id, title, type, status, externalId, templateId, recipients } = envelope;
	return {
		id,
		title,
		type,
		status,
		externalId,
		templateId,
		items: itemsByOrder(envelope).map((item) => ({ id: item.id, title: item.title })),
		recipients: recipients.map(({ token, authOptions: _, ...recipient }) => ({
			...recipient,
			token,
			signingUrl: signingUrl(instance, token),
		})),
	};
}
