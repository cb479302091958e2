import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Envelope } from './entities';
import { drawSignedPdf } from './pdf/signedPdf';
import type { CallLog } from './http/calls';
import { faultSchema, type Faults } from './http/faults';
import { signingUrl, type Instance } from './instance';
import type { WebhookDispatcher } from './webhooks/dispatcher';
import { WEBHOOK_EVENTS } from './webhooks/payload';

export interface ControlOptions {
	instance: Instance;
	webhooks: WebhookDispatcher;
	calls: CallLog;
	faults: Faults;
	reset: () => Promise<void>;
}

const webhookSchema = z
	.object({
		url: z.string().url(),
		events: z.array(z.enum(WEBHOOK_EVENTS)).optional(),
		secret: z.string().optional(),
	})
	.strict();

/** What the real service does not have: looking inside, and arranging what happens next. */
export async function controlPlane(scope: FastifyInstance, options: ControlOptions) {
	const { instance, webhooks, calls, faults, reset } = options;

	scope.setErrorHandler((error, _request, reply) => {
		if (!(error instanceof z.ZodError)) return reply.send(error);
		return reply.code(400).send({ message: 'Invalid request', issues: error.issues });
	});

	scope.get('/health', () => ({ status: 'ok' }));

	scope.get('/state', () => ({
		documents: instance.store.documents.map((document) => describe(instance, document)),
		templates: instance.store.templates.map((template) => describe(instance, template)),
		webhooks: webhooks.list(),
		deliveries: webhooks.deliveries,
	}));

	scope.get('/calls', () => calls.calls);

	scope.post('/webhooks', ({ body }) => {
		webhooks.add(webhookSchema.parse(body));
		return { success: true };
	});

	scope.delete('/webhooks', () => {
		webhooks.clear();
		return { success: true };
	});

	scope.post('/faults', ({ body }) => {
		faults.add(faultSchema.parse(body));
		return { success: true };
	});

	scope.post('/reset', async () => {
		await reset();
		return { success: true };
	});

	scope.get<{ Params: { itemId: string }; Querystring: { version?: string } }>(
		'/files/:itemId',
		async ({ params, query }, reply) => {
			const found = instance.store.findItem(params.itemId);
			if (!found) return await reply.code(404).send({ message: 'No such file' });
			const { envelope, item } = found;
			const content =
				query.version === 'pending'
					? await drawSignedPdf(envelope, item, 'none', instance.now())
					: await item[query.version === 'signed' ? 'signed' : 'original'].read();
			return await reply.type('application/pdf').send(Buffer.from(content));
		},
	);
}

function describe(instance: Instance, envelope: Envelope) {
	const { id, title, type, status, externalId, templateId, recipients, items } = envelope;
	return {
		id,
		title,
		type,
		status,
		externalId,
		templateId,
		items: items.map((item) => ({ id: item.id, title: item.title })),
		recipients: recipients.map(({ token, authOptions: _, ...recipient }) => ({
			...recipient,
			token,
			signingUrl: signingUrl(instance, token),
		})),
	};
}
