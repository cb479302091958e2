import {
	sleep,
	type IExecuteFunctions,
	type IPollFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import type { Resumption } from '../engine/process';
import { RESUME_PATH, type NudgeAnswer } from './resume';

/** How long to wait before the second try, in milliseconds, and at most before later ones. */
const FIRST_PAUSE_MS = 700;
const LONGEST_PAUSE_MS = 10_000;

type Context = IExecuteFunctions | IPollFunctions | IWebhookFunctions;

/**
 * What an execution made of a nudge: its answer; `busy`, so that it should be retried; `late`: no answer came in time, and
 * a second nudge would only make it fetch everything twice; `gone`: n8n says that it does not wait any more.
 */
export type Reception = NudgeAnswer | 'busy' | 'late' | 'gone';

/** How to reach waiting executions. */
export interface Way {
	/** Where this n8n resumes executions; the first that answers is used. */
	addresses: string[];
	/** How long a nudge may take, and how long to try, in milliseconds. */
	timeout: number;
	patience: number;
}

/** Where this n8n resumes executions: such as https://n8n.example.com/webhook-waiting, from the address for one. */
export function resumeAddressIn({ origin, pathname }: URL): string {
	return origin + pathname.slice(0, pathname.lastIndexOf('/'));
}

/** Tells an execution to look in Documenso whether its wait is over. */
export async function reach(context: Context, one: Resumption, way: Way): Promise<Reception> {
	const until = Date.now() + way.patience;
	const nudgeIt = async () =>
		await shared(one.executionId, async () => await nudgeOnce(context, one, way));
	let reception = await nudgeIt();
	for (let pause = FIRST_PAUSE_MS; reception === 'busy' && Date.now() < until; pause *= 2) {
		await sleep(Math.min(pause, LONGEST_PAUSE_MS));
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
			isAnswer(reception) && reception.isOver ? reception : await begin(),
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
	for (const address of addresses) {
		try {
			// n8n's helper returns the whole answer because it is asked for it.
			const { statusCode, body } = (await context.helpers.httpRequest({
				method: 'POST',
				url: `${address}/${executionId}/${RESUME_PATH}?signature=${token}`,
				body: {},
				timeout,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			})) as { statusCode: number; body: unknown };
			const reception = receptionIn(statusCode, body);
			if (reception) return reception;
		} catch (error) {
			if (isTimeout(error)) return 'late';
			// Not reachable there.
		}
	}
	return 'busy';
}

/** Undefined if something else than n8n has answered, such as a proxy. */
function receptionIn(status: number, body: unknown): Reception | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	const { message, error }: { message?: unknown; error?: unknown } = body;
	if (status === 200) {
		const { isUnknown }: Partial<NudgeAnswer> = body;
		if (typeof isUnknown !== 'boolean') return undefined;
		return isUnknown ? 'busy' : (body as NudgeAnswer);
	}
	// The execution has not begun to wait yet, or goes on already, or two nudges came at the same moment.
	if (status >= 500 || /running/.test(String(message))) return 'busy';
	const isOfN8n = /execution/.test(String(message)) || error === 'Invalid token';
	return isOfN8n ? 'gone' : undefined;
}

export function isAnswer(reception: Reception): reception is NudgeAnswer {
	return typeof reception === 'object';
}

/** n8n's helper throws what axios throws. */
function isTimeout(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ECONNABORTED';
}
