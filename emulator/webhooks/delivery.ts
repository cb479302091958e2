import type { WebhookEvent } from './events';
import { isPrivateUrl } from './privateUrl';

export interface Webhook {
	url: string;
	/** All events by default. */
	events?: readonly string[];
	/** Sent in plain text; without a secret the header is empty. */
	secret?: string;
	/** True by default. */
	enabled?: boolean;
	/** The team whose events it gets; all teams by default. */
	teamId?: number;
}

export interface RegisteredWebhook extends Webhook {
	id: string;
}

export interface Delivery {
	event: WebhookEvent;
	url: string;
	/** 1 to 4. */
	attempt: number;
	/** The response's status; 0 without a response. */
	status: number;
	ms: number;
	body: WebhookBody;
}

export interface WebhookBody {
	event: WebhookEvent;
	payload: Record<string, unknown>;
	createdAt: string;
	webhookEndpoint: string;
}

export interface PostOptions {
	/** How long an endpoint may take to respond. */
	timeoutMs: number;
	/** Treats private addresses as unreachable (documenso-api.md: Deliveries). */
	refusePrivateUrls: boolean;
}

/** Sends one attempt. Returns the response's status; 0 without a response. */
export async function post(
	{ url, secret }: Webhook,
	body: string,
	{ timeoutMs, refusePrivateUrls }: PostOptions,
	aborted: AbortSignal,
): Promise<number> {
	if (refusePrivateUrls && isPrivateUrl(url)) return 0;
	const headers = { 'Content-Type': 'application/json', 'X-Documenso-Secret': secret ?? '' };
	const signal = AbortSignal.any([aborted, AbortSignal.timeout(timeoutMs)]);
	try {
		const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
		await answer.body?.cancel();
		return answer.status;
	} catch {
		return 0;
	}
}
