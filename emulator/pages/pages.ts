import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../errors';
import { clientOf } from '../http/client';
import { signingUrl, type Instance } from '../instance';
import { drawPreview } from '../pdf/signedPdf';
import { email } from '../schemas/scalars';
import type { FieldValue } from '../signing/values';
import type { FieldValues } from '../signing/complete';
import { accessAuthOf, blockedReason, INSTEAD_OF_SIGNING, pageInstead } from '../signing/rules';
import { findSigning, open, reject, sign } from '../signing/sign';
import type { WebhookDispatcher } from '../webhooks/dispatcher';
import { overviewPage } from './overviewPage';
import { donePage, noticePage } from './noticePage';
import { sendPage, sendPdf } from './send';
import { signingPage } from './signingPage';
import { webhookRoutes } from './webhookRoutes';

export interface PageOptions {
	instance: Instance;
	webhooks: WebhookDispatcher;
}

type Token = { Params: { token: string } };

const choice = z.union([z.string(), z.number()]);

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(choice)]);

const nextSigner = z.object({ email: email.max(254), name: z.string().min(1).max(255) });

const action = z.discriminatedUnion('action', [
	z.object({
		action: z.literal('sign'),
		fields: z.record(fieldValue).optional(),
		nextSigner: nextSigner.optional(),
	}),
	z.object({ action: z.literal('reject'), reason: z.string() }),
]);

/** The list of documents, the signing pages and the webhooks. Scripts can post JSON to signing pages. */
export async function pages(scope: FastifyInstance, { instance, webhooks }: PageOptions) {
	scope.removeAllContentTypeParsers();
	scope.addContentTypeParser('*', async (_request: FastifyRequest, body: IncomingMessage) => {
		return await text(body);
	});
	scope.setErrorHandler((error, request, reply) => answerError(instance, error, request, reply));
	// Like the service, responds with a page to everything that is not an API path.
	scope.setNotFoundHandler((_request, reply) =>
		sendPage(
			reply.code(404),
			noticePage(instance, 'Page not found', 'There is nothing at this address.'),
		),
	);

	scope.get(
		'/',
		async (_request, reply) => await sendPage(reply, overviewPage(instance, webhooks.deliveries)),
	);

	// The service's page of a document or template; here it is a part of the list of documents.
	scope.get<{ Params: { team: string; kind: string; id: string } }>(
		'/t/:team/:kind/:id',
		async ({ params }, reply) => {
			if (!instance.store.envelopes.has(params.id)) throw notFound('There is no such document');
			return await reply.redirect(`${instance.baseUrl()}/#${params.id}`);
		},
	);

	scope.get<Token>('/sign/:token', async (request, reply) => {
		const signing = findSigning(instance, request.params.token);
		// Nobody is ever logged in here, and a real Documenso shows nothing else then.
		if (accessAuthOf(signing).includes('ACCOUNT')) {
			const message = 'To open this document, the recipient has to log in to Documenso.';
			return await sendPage(reply, noticePage(instance, 'Log in', message));
		}
		const instead = pageInstead(instance, signing);
		if (instead) return await reply.redirect(`${pathOf(request)}/${instead}`);
		open({ ...instance, client: clientOf(request.headers) }, signing);
		const blocked = blockedReason(instance, signing);
		return await sendPage(
			reply,
			blocked
				? noticePage(instance, "That didn't work", blocked.message)
				: signingPage(instance, signing, pathOf(request)),
		);
	});

	for (const instead of INSTEAD_OF_SIGNING) {
		scope.get<Token>(`/sign/:token/${instead}`, async ({ params }, reply) => {
			const blocked = blockedReason(instance, findSigning(instance, params.token));
			if (!blocked) return await reply.redirect(signingUrl(instance, params.token));
			return await sendPage(reply, noticePage(instance, "That didn't work", blocked.message));
		});
	}

	scope.get<{ Params: { token: string; itemId: string } }>(
		'/sign/:token/files/:itemId',
		async ({ params }, reply) => {
			const { envelope, recipient } = findSigning(instance, params.token);
			const item = envelope.items.find(({ id }) => id === params.itemId);
			if (!item) throw notFound('File not found');
			const content = await drawPreview(envelope, item, recipient);
			return await sendPdf(reply, envelope, item, 'original', content);
		},
	);

	scope.post<Token>('/sign/:token', async (request, reply) => {
		const { token } = request.params;
		const given = readAction(request);
		const visited = { ...instance, client: clientOf(request.headers) };
		const envelope =
			given.action === 'sign'
				? sign(
						visited,
						token,
						isJson(request) ? given.fields : touched(instance, token, given.fields),
						given.nextSigner,
					)
				: reject(visited, token, given.reason);
		if (isJson(request)) return await reply.send({ success: true, id: envelope.id });
		return await sendPage(reply, donePage(instance, envelope, given.action));
	});

	webhookRoutes(scope, { instance, webhooks });
}

function readAction(request: FastifyRequest): z.output<typeof action> {
	const given = isJson(request) ? parseJson(request.body) : parseForm(String(request.body));
	const parsed = action.safeParse(given);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	throw new AppError('INVALID_BODY', `${issue?.path.join('.')}: ${issue?.message}`);
}

function parseJson(body: unknown): unknown {
	try {
		return JSON.parse(String(body));
	} catch {
		throw new AppError('INVALID_BODY', 'The body is not JSON');
	}
}

function parseForm(body: string): Record<string, unknown> {
	const form = new URLSearchParams(body);
	const [name, email] = [form.get('next-name'), form.get('next-email')];
	const nextSigner = name && email ? { name, email } : undefined;
	const fields: Record<string, FieldValue> = {};
	for (const name of form.keys()) {
		const [kind, id = ''] = name.split('-');
		// An option's text can be empty, but an empty input is a field that the signer left out.
		const texts = form.getAll(name);
		if (kind === 'choice' || texts.length > 1) fields[id] = texts;
		else if (kind === 'field') fields[id] = texts[0] || null;
	}
	const reason = form.get('reason') ?? undefined;
	return { action: form.get('action') ?? 'sign', reason, fields, nextSigner };
}

/** An input that stays empty is no request in Documenso, unless that empties the field. */
function touched(
	instance: Instance,
	token: string,
	values: FieldValues | undefined = {},
): FieldValues {
	const { fields } = findSigning(instance, token).envelope;
	const isTouched = (key: string, value: FieldValue | undefined): boolean =>
		value !== null || fields.some(({ id, inserted }) => String(id) === key && inserted);
	return Object.fromEntries(
		Object.entries(values).map(([key, value]) => [key, isTouched(key, value) ? value : undefined]),
	);
}

function answerError(
	instance: Instance,
	error: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	const isKnown = error instanceof AppError;
	const status = !isKnown ? 500 : error.code === 'NOT_FOUND' ? 404 : 400;
	const message = error instanceof Error ? error.message : String(error);
	reply.code(status);
	if (isJson(request)) {
		return reply.send({ error: message, code: isKnown ? error.code : 'INTERNAL_SERVER_ERROR' });
	}
	return sendPage(reply, noticePage(instance, "That didn't work", message));
}

function isJson({ headers }: FastifyRequest): boolean {
	const accepted = `${headers['content-type'] ?? ''} ${headers.accept ?? ''}`;
	return accepted.includes('application/json');
}

function pathOf(request: FastifyRequest): string {
	return request.url.split('?')[0] ?? '';
}
