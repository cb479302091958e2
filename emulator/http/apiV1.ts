import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listEnvelopes } from '../envelopes/find';
import { formatRecipientWithLegacyIds } from '../envelopes/format';
import { RequestError } from '../errors';
import type { Instance } from '../instance';
import { findEnvelopes } from '../schemas/envelopes';
import type { WebhookDispatcher } from '../webhooks/dispatcher';
import { isPrivateUrl } from '../webhooks/privateUrl';
import {
	formatSubscription,
	subscribe,
	subscriptionsOf,
	unsubscribe,
} from '../webhooks/subscriptions';
import { authenticate, missingToken, type ApiToken, type Caller } from './auth';
import { addExchangeHooks, type ExchangeOptions } from './exchange';
import type { RequestBody } from './requestBody';
import { sendJson } from './sendJson';

interface ApiV1Options extends ExchangeOptions {
	webhooks: WebhookDispatcher;
	tokens: readonly ApiToken[];
	refusePrivateUrls: boolean;
}

/** The part of API v1 that registers webhooks (documenso-api.md: Registering webhooks). */
export async function apiV1(scope: FastifyInstance, options: ApiV1Options): Promise<void> {
	const { instance, webhooks, tokens, refusePrivateUrls } = options;
	const callerOf = ({ headers }: FastifyRequest): Caller =>
		tokenUser(headers.authorization, tokens);

	scope.removeAllContentTypeParsers();
	scope.addContentTypeParser('*', async (_request: FastifyRequest, raw: IncomingMessage) => {
		return await readBody(raw);
	});
	scope.setErrorHandler((error, _request, reply) => {
		const isForeseen = error instanceof RequestError;
		const status = isForeseen ? error.status : 500;
		return sendJson(reply, status, {
			message: isForeseen ? error.message : 'Internal Server Error',
		});
	});
	scope.setNotFoundHandler(() => {
		const message = 'The local Documenso supports only the webhook subscriptions of API v1';
		throw new RequestError(501, 'NOT_IMPLEMENTED', message);
	});
	addExchangeHooks(scope, options);

	scope.all('/zapier/subscribe', async (request, reply) => {
		const input = inputOf(request);
		// Checked even before the token.
		if (refusePrivateUrls && isPrivateUrl(String(input.webhookUrl))) {
			throw new RequestError(400, 'INVALID_REQUEST', 'The webhook URL is a private address');
		}
		const caller = callerOf(request);
		if (caller.role === 'MEMBER') {
			const message = 'You do not have permission to manage webhooks for this team';
			throw new RequestError(401, 'UNAUTHORIZED', message);
		}
		const subscription = subscribe(instance, webhooks, caller, input);
		return await sendJson(reply, 200, formatSubscription(subscription));
	});

	scope.all('/zapier/unsubscribe', async (request, reply) => {
		const subscription = unsubscribe(webhooks, callerOf(request), inputOf(request));
		return await sendJson(reply, 200, formatSubscription(subscription));
	});

	scope.all('/zapier/list-documents', async (request, reply) => {
		const sample = sampleEvent(instance, webhooks, callerOf(request));
		return await sendJson(reply, 200, sample ? [sample] : []);
	});
}

/** Unlike in v2, an expired token is the same as a wrong one. */
function tokenUser(authorization: string | undefined, tokens: readonly ApiToken[]): Caller {
	try {
		return authenticate(authorization, tokens, missingToken);
	} catch {
		throw new RequestError(401, 'UNAUTHORIZED', 'Unauthorized');
	}
}

/** Parsed as JSON, whatever the content type. */
async function readBody(raw: IncomingMessage): Promise<RequestBody> {
	const input: unknown = JSON.parse(await text(raw));
	return { input, recorded: input };
}

function inputOf({ body }: FastifyRequest): Record<string, unknown> {
	const input = (body as RequestBody | undefined)?.input;
	return typeof input === 'object' && input !== null ? { ...input } : {};
}

/** A sample for the team's first subscription: its newest document, in an older format. */
function sampleEvent(
	instance: Instance,
	webhooks: WebhookDispatcher,
	caller: Caller,
): object | undefined {
	const [subscription] = subscriptionsOf(webhooks, caller.team.id);
	const [document] = listEnvelopes(instance, caller, findEnvelopes.parse({ type: 'DOCUMENT' }));
	if (!subscription || !document || document.recipients.length === 0) return undefined;
	const { legacyId, user, title, status, items, team } = document;
	const { createdAt, updatedAt, completedAt, deletedAt } = document;
	return {
		event: subscription.events[0],
		createdAt: subscription.createdAt,
		webhookEndpoint: subscription.url,
		payload: {
			id: legacyId,
			userId: user.id,
			title,
			status,
			documentDataId: items[0]?.documentDataId ?? '',
			createdAt,
			updatedAt,
			completedAt,
			deletedAt,
			teamId: team.id,
			Recipient: document.recipients.map((recipient) =>
				formatRecipientWithLegacyIds(document, recipient),
			),
		},
	};
}
