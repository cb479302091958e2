import type { IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../api/clock';
import type { Resumption } from '../n8n/process';
import { RESUME_PATH, type NudgeAnswer } from './resume';
import {
	codeOf,
	isTimeout,
	postByFetch,
	postByHelper,
	type Context,
	type Reply,
	type ResumeAddress,
} from './resumeRequest';

/** How long to wait before the second try, in milliseconds, and at most before later ones. */
const FIRST_PAUSE_MS = 700;
const LONGEST_PAUSE_MS = 10_000;

/** Nodes may not read the environment, so this cannot say whether there is a proxy. */
const PROXY_HINT = 'If n8n uses a proxy (HTTP_PROXY, HTTPS_PROXY), add this host to NO_PROXY';

/** How an execution has answered a nudge, or why it has not. */
export interface Reception extends Omit<NudgeAnswer, 'isUnknown'> {
	/** n8n says that it does not wait any more. */
	isGone?: boolean;
	/** Without an answer: what came last, and from which host, for n8n's log. */
	last?: string;
	/** Whether to try again. If no answer came in time, that would only make the execution fetch everything twice. */
	isBusy?: boolean;
}

/** How to reach waiting executions. */
export interface Way {
	/** The first at which n8n answers is used. */
	addresses: ResumeAddress[];
	/** How long a nudge may take, and how long to try, in milliseconds. */
	timeout: number;
	patience: number;
}

/** Where this n8n resumes executions: such as https://n8n.example.com/webhook-waiting, from the address for one. */
export function resumeAddressIn({ origin, pathname }: URL): string {
	return origin + pathname.slice(0, pathname.lastIndexOf('/'));
}

/** Where this n8n resumes executions, by its public address. */
export function publicAddress(context: Context): ResumeAddress {
	// Polls have the method, too, which their type lacks.
	const evaluating = context as unknown as { evaluateExpression(expression: string): string };
	// In a trigger, the execution's ID in it is a placeholder.
	const resumeUrl = new URL(evaluating.evaluateExpression('{{ $execution.resumeUrl }}'));
	return { url: resumeAddressIn(resumeUrl), isOwn: false };
}

/**
 * The socket that the delivery came to comes first, because the process behind it resumes executions as well, and the
 * public address may not lead to it from inside. Nothing is taken from the delivery itself.
 */
export function addressesFor(context: IWebhookFunctions): ResumeAddress[] {
	const shared = publicAddress(context);
	const { localAddress, localPort } = context.getRequestObject().socket;
	if (!localAddress || !localPort) return [shared];
	const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
	const url = `http://${host}:${localPort}${new URL(shared.url).pathname}`;
	return [{ url, isOwn: true }, shared];
}

/** Tells an execution to look in Documenso whether its wait is over. */
export async function reach(context: Context, one: Resumption, way: Way): Promise<Reception> {
	const until = clock.now() + way.patience;
	const nudgeIt = async () =>
		await shared(one.executionId, async () => await nudgeOnce(context, one, way));
	let reception = await nudgeIt();
	for (let pause = FIRST_PAUSE_MS; reception.isBusy && clock.now() < until; pause *= 2) {
		await clock.sleep(Math.min(pause, LONGEST_PAUSE_MS));
		reception = await nudgeIt();
	}
	return reception;
}

/** The nudges under way in this process, by execution, and what follows each. */
const underWay = new Map<string, { now: Promise<Reception>; next?: Promise<Reception> }>();

/**
 * All that want to nudge an execution while a nudge is under way share one nudge after it, which sees what has happened
 * to all of their documents. Otherwise a hundred documents that end at once make n8n load the execution a hundred
 * times at once, and it answers nobody any more. If the wait is over, all documents were seen, and none is needed.
 */
async function shared(executionId: string, nudgeIt: () => Promise<Reception>): Promise<Reception> {
	const before = underWay.get(executionId);
	if (before) {
		return await (before.next ??= before.now.then(async (reception) =>
			reception.isOver ? reception : await begin(),
		));
	}
	return await begin();

	async function begin(): Promise<Reception> {
		const turn = { now: nudgeIt() };
		underWay.set(executionId, turn);
		try {
			return await turn.now;
		} finally {
			// Otherwise the one that follows has taken its place.
			if (underWay.get(executionId) === turn) underWay.delete(executionId);
		}
	}
}

async function nudgeOnce(
	context: Context,
	{ executionId, token }: Resumption,
	{ addresses, timeout }: Way,
): Promise<Reception> {
	let last = '';
	for (const { url, isOwn } of addresses) {
		const nudgeUrl = `${url}/${executionId}/${RESUME_PATH}?signature=${token}`;
		// Such as n8n.example.com:5678. The rest of the URL does not belong in a log.
		const [, , host = ''] = url.split('/');
		try {
			const post = isOwn ? postByFetch : postByHelper;
			const reply = await post(context, nudgeUrl, timeout);
			const reception = receptionIn(reply, host);
			if (reception) return reception;
			last = `${host} answered ${reply.status}, but not as n8n does. ${PROXY_HINT}`;
		} catch (error) {
			if (isTimeout(error)) return { last: `${host} gave no answer in ${timeout / 1000} s` };
			last = `${host} cannot be reached (${codeOf(error)}). ${PROXY_HINT}`;
		}
	}
	return { last, isBusy: true };
}

/** Undefined if something else than n8n has answered, such as a proxy. */
function receptionIn({ status, body }: Reply, host: string): Reception | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	const { message, code, error }: { message?: unknown; code?: unknown; error?: unknown } = body;
	const busy = (what: string) => ({ last: `${host} answered ${what}`, isBusy: true });
	if (status === 200) {
		const { isUnknown }: Partial<NudgeAnswer> = body;
		if (typeof isUnknown !== 'boolean') return undefined;
		if (isUnknown) return busy('that the documents could not be read');
		return body;
	}
	// n8n fails like this at an execution that was killed before it had saved that it waits: nothing can resume it.
	if (status === 500 && /'inputOverride'/.test(String(message))) return { isGone: true };
	// n8n's database is not there, or two nudges came at the same moment: another address would lead to the
	// same n8n.
	const hasFailed = (status === 500 || status === 503) && typeof code === 'number';
	if (hasFailed && typeof message === 'string') return busy(String(status));
	if (!REFUSALS.includes(status)) return undefined;
	// The execution has not begun to wait yet, or goes on already.
	if (/running/.test(String(message))) return busy(`${status}, the execution is running`);
	const isOfN8n = /execution/.test(String(message)) || error === 'Invalid token';
	return isOfN8n ? { isGone: true } : undefined;
}

/** The statuses with which n8n says that an execution does not wait now. */
const REFUSALS = [401, 404, 409];

export function hasEnded({ isOver, isGone }: Reception): boolean {
	return Boolean(isOver ?? isGone);
}
