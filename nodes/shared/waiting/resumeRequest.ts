import { jsonParse } from 'n8n-workflow';
import type { IExecuteFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../api/clock';

export type Context = IExecuteFunctions | IPollFunctions | IWebhookFunctions;

/** Where this n8n resumes executions. */
export interface ResumeAddress {
	/** Such as https://n8n.example.com/webhook-waiting */
	url: string;
	/** Whether it is a socket of this process, and not n8n's public address. */
	isOwn: boolean;
}

export interface Reply {
	status: number;
	/** The parsed JSON, or a text. */
	body: unknown;
}

/**
 * Posts to an address for resuming, which is secret. It throws if no answer comes. Redirects are not followed: they would
 * take the signature elsewhere, and some turn the request into a GET, to which n8n answers as if the execution did not
 * wait.
 *
 * n8n's helpers obey HTTP_PROXY, and no option of theirs turns that off, so a request to n8n's own socket would go to the
 * proxy. `fetch` obeys it only with NODE_USE_ENV_PROXY=1.
 */
export async function postByFetch(context: Context, url: string, timeout: number): Promise<Reply> {
	await throwIfBlocked(context, url);
	const signal = clock.timeout(timeout);
	const response = await fetch(url, { method: 'POST', redirect: 'manual', signal });
	const text = await response.text();
	return { status: response.status, body: jsonParse<unknown>(text, { fallbackValue: text }) };
}

/** `fetch` does not know N8N_SSRF_PROTECTION_ENABLED, so n8n's rules are asked. Older n8n has no filter. */
async function throwIfBlocked(context: Context, url: string) {
	const helpers: Partial<Context['helpers']> = context.helpers;
	const allowed = await helpers.getSecureEgressFilter?.().validateUrl(url);
	if (allowed?.ok === false) throw allowed.error;
}

/** The same to n8n's public address. */
export async function postByHelper(context: Context, url: string, timeout: number): Promise<Reply> {
	// n8n's helper returns the whole answer because it is asked for it.
	const { statusCode, body } = (await context.helpers.httpRequest({
		method: 'POST',
		url,
		body: {},
		timeout,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	})) as { statusCode: number; body: unknown };
	return { status: statusCode, body };
}

/** What `fetch` and n8n's helper, which uses axios, throw. */
interface RequestError {
	name: string;
	code?: string | number;
	cause?: { code?: string };
}

export function isTimeout(error: unknown): boolean {
	const { name, code } = error as RequestError;
	return name === 'TimeoutError' || code === 'ECONNABORTED';
}

/** Why an address could not be reached. The message of an error may contain its URL with the signature. */
export function codeOf(error: unknown): string {
	const { name, code, cause } = error as RequestError;
	return String(code ?? cause?.code ?? name);
}
