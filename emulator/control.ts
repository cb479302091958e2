import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Envelope } from './entities';
import { AppError } from './errors';
import { itemsByOrder } from './envelopes/items';
import { useTemplate } from './envelopes/use';
import { drawSignedPdf } from './pdf/signedPdf';
import { faultSchema, injectFault } from './http/faults';
import { signingUrl, type Instance } from './instance';
import { DEMO_TEAM, DEMO_USER } from './options';
import { sendPdf } from './pages/send';
import { deliver, type Parts } from './parts';
import { expire } from './signing/sign';
import { WEBHOOK_EVENTS } from './webhooks/events';

interface ControlOptions extends Parts {
	reset: () => Promise<void>;
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

const OWNER = { user: DEMO_USER, team: DEMO_TEAM, role: 'ADMIN' } as const;

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
			return await sendPdf(reply, envelope, item, version, content);
		},
	);

	await scope.register(controls, { ...options, prefix: '' });
}

async function controls(scope: FastifyInstance, options: ControlOptions) {
	const { instance, webhooks, calls, interceptors, reset } = options;

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

	// Uses the template `count` times, without API calls or delays.
	scope.post('/documents', async ({ body }) => {
		const { templateId, count, isSent } = documentsSchema.parse(body);
		const ids: string[] = [];
		while (ids.length < count) {
			const externalId = `made-${ids.length + 1}`;
			const payload = { envelopeId: templateId, externalId, distributeDocument: isSent };
			ids.push((await useTemplate(instance, OWNER, payload, [])).id);
		}
		return { ids };
	});

	const action = (
		method: 'POST' | 'DELETE',
		url: string,
		run: (body: unknown) => void | Promise<void>,
	) => {
		const handler = async ({ body }: { body: unknown }) => {
			await run(body);
			return { success: true };
		};
		scope.route({ method, url, handler });
	};
	action('DELETE', '/calls', () => calls.clear());
	action('POST', '/webhooks', (body) => webhooks.add(webhookSchema.parse(body)));
	action('DELETE', '/webhooks', () => webhooks.clear());
	action('POST', '/webhooks/test', (body) => webhooks.test(testSchema.parse(body).event));
	action('POST', '/webhooks/resend', (body) => webhooks.resend(resendSchema.parse(body).delivery));
	action('POST', '/webhooks/pause', () => webhooks.pause());
	action('POST', '/webhooks/resume', () => webhooks.resume());
	action('POST', '/deliver', (body) => {
		const { event, envelopeId, times } = deliverSchema.parse(body);
		deliver(options, event, envelopeId, times);
	});
	action('POST', '/expire', (body) => expire(instance, expireSchema.parse(body).recipientId));
	action('POST', '/faults', (body) => injectFault(interceptors, faultSchema.parse(body)));
	action('DELETE', '/faults', () => interceptors.clear());
	action('POST', '/reset', reset);
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
