import { sleep, type IPollFunctions, type IWebhookFunctions } from 'n8n-workflow';

import type { Credential } from '../Documenso/api/exchange';
import { messageOf } from '../Documenso/api/failure';
import { resumptionsIn, type Resumption } from '../Documenso/envelope/marker';
import { RESUME_PATH, type NudgeAnswer } from '../Documenso/waiting/resume';

/** Events after which a document may be finished. */
export const FINAL_EVENTS: readonly string[] = [
	'DOCUMENT_CANCELLED',
	'DOCUMENT_COMPLETED',
	'DOCUMENT_REJECTED',
	'RECIPIENT_EXPIRED',
];

/** How long to wait between tries, in milliseconds. */
const PAUSE_MS = 700;

type Context = IWebhookFunctions | IPollFunctions;

/**
 * What an execution made of a nudge: `received`; `busy`, so that it should come again; `late`: no answer came in time,
 * and a second nudge would only make it fetch everything twice; `gone`: it has ended.
 */
type Reception = 'received' | 'busy' | 'late' | 'gone';

/** How to reach waiting executions. */
interface Way {
	credential: Credential;
	/** Where this n8n resumes executions; the first that answers is used. */
	addresses: () => string[];
	/** How long a nudge may take, and how long to try, in milliseconds. */
	timeout: number;
	patience: number;
}

/**
 * Wakes the executions of this n8n that wait for the document with the external ID. They look in Documenso themselves
 * whether their wait is over, so a nudge too many does no harm. Returns whether all that still wait were reached. It
 * never throws.
 */
export async function nudge(context: Context, externalId: string, way: Way): Promise<boolean> {
	const { apiToken = '' } = way.credential;
	try {
		const waiting = resumptionsIn(externalId, { apiToken, instanceId: context.getInstanceId() });
		if (waiting.length === 0) return true;
		const addresses = way.addresses();
		const reached = await Promise.all(
			waiting.map(async (one) => await reach(context, one, addresses, way)),
		);
		return reached.every(Boolean);
	} catch (error) {
		context.logger.warn(`Executions that wait could not be woken: ${messageOf(error)}`);
		return false;
	}
}

async function reach(
	context: Context,
	one: Resumption,
	addresses: string[],
	{ patience, timeout }: Way,
): Promise<boolean> {
	const until = Date.now() + patience;
	const nudgeIt = async () =>
		await shared(one.executionId, async () => {
			return await nudgeOnce(context, one, addresses, timeout);
		});
	let reception = await nudgeIt();
	while (reception === 'busy' && Date.now() < until) {
		await sleep(PAUSE_MS);
		reception = await nudgeIt();
	}
	if (reception === 'received' || reception === 'gone') return true;
	context.logger.warn(`The waiting execution ${one.executionId} has not answered yet`);
	return false;
}

/** The nudges under way in this process, by execution, and what follows each. */
const underWay = new Map<string, { now: Promise<Reception>; next?: Promise<Reception> }>();

/**
 * All that want to nudge an execution while a nudge is under way share one nudge after it, which sees what has happened
 * to all of their documents. Otherwise a hundred documents that end at once make n8n load the execution a hundred
 * times at once, and it answers nobody any more.
 */
async function shared(executionId: string, nudgeIt: () => Promise<Reception>): Promise<Reception> {
	const before = underWay.get(executionId);
	if (before) return await (before.next ??= before.now.then(begin));
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
	addresses: string[],
	timeout: number,
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
	const { isUnknown, message, error }: Partial<NudgeAnswer & Record<'message' | 'error', unknown>> =
		body;
	if (status === 200) return isUnknown ? 'busy' : 'received';
	// The execution has not begun to wait yet, or two nudges came at the same moment.
	if (status >= 500 || /running/.test(String(message))) return 'busy';
	const isOfN8n = /execution/.test(String(message)) || error === 'Invalid token';
	return isOfN8n ? 'gone' : undefined;
}

/** n8n's helper throws what axios throws. */
function isTimeout(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ECONNABORTED';
}
