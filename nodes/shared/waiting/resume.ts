import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { clock } from '../api/clock';
import { HttpClient, type Client } from '../api/client';
import { messageOf } from '../api/failure';
import { isFinal } from '../api/lifecycle';
import { untilAnswered } from '../n8n/response';
import { outcomesOf, readUntilOpen, waitSchema, type Documents, type Wait } from './documents';
import { finish, type Known } from './finish';

/** The end of the address for nudges. Without one, a nudge that comes late would also resume n8n's own Wait node. */
export const RESUME_PATH = 'documenso';

/** Where triggers wake an execution that waits. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		// Otherwise n8n answers "firstEntryJson" when the execution goes on, and not what the node says.
		responseData: '',
		path: RESUME_PATH,
		restartWebhook: true,
		isFullPath: true,
	},
];

/** How long reading may take, in milliseconds. Many documents may take minutes at the rate limit. */
const TIMEOUT_MS = 300_000;

/** The executions whose wait is about to end. */
const ending = new Set<string>();

/** What the answer to a nudge tells the trigger that sent it. */
export interface NudgeAnswer {
	/** Documenso could not be asked: the nudge should be retried. */
	isUnknown: boolean;
	/** Whether the execution goes on. n8n answers only when it has stored that. */
	isOver?: boolean;
	/** Whether markers of the execution may still be written, because an answer of Documenso's was lost. */
	isDoubtful?: boolean;
	/** The documents that were read, by ID. */
	seen?: Record<string, Seen>;
}

export interface Seen {
	externalId: string | null;
	/** Whether nothing can happen to it any more. */
	isFinished: boolean;
}

/**
 * Answers a request to n8n's address for resuming. Whatever it contains, Documenso decides whether the wait is over. It
 * never throws, because n8n would resume the execution with an empty item.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const name = asLiteral(context.getNode().name);
		const wait = waitSchema.parse(context.evaluateExpression(`{{ $node[${name}].context.wait }}`));
		const client = await HttpClient.of(context, { deadline: clock.timeout(TIMEOUT_MS) });
		const { read, isOver } = await readUntilOpen(client, wait);
		const isDoubtful = wait.isDoubtful ?? false;
		const answered = answer({ isUnknown: false, isOver, isDoubtful, seen: seenIn(read) });
		if (!isOver) return answered;
		const outcomes = outcomesOf(client, wait, read);
		if ([...outcomes.values()].includes('deleted')) checkAccount(client, wait);
		return { ...answered, workflowData: [await finishOnce(context, wait, { read, outcomes })] };
	} catch (error) {
		context.logger.warn(`The execution goes on waiting: ${messageOf(error)}`);
		return answer({ isUnknown: true });
	}
}

/** For an expression: a brace would end it, and n8n refuses some words after a dot. */
function asLiteral(name: string): string {
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	// By the units that JavaScript stores: a character may have two.
	return `"${name.replace(/[^a-z\d]/gi, escaped)}"`;
}

/** Another token may not see documents that exist. */
function checkAccount({ account }: Client, wait: Wait) {
	if (wait.account === undefined || wait.account === account) return;
	throw new Error(
		"the API token or the base URL in the credential was changed, and the document can't be found with it",
	);
}

/** Without the limit on reading: each download has its own. */
async function finishOnce(context: IWebhookFunctions, wait: Wait, known: Known) {
	const executionId = context.getExecutionId();
	if (ending.has(executionId)) throw new Error('another call ends the wait already');
	ending.add(executionId);
	// Without a free slot, n8n stores later that the execution goes on, and would let a second call go on from here, too.
	void untilAnswered(context).then(() => ending.delete(executionId));
	return await finish(context, await HttpClient.of(context), wait, known);
}

function seenIn(documents: Documents): Record<string, Seen> {
	const each = [...documents.values()].map(({ envelope: { id, externalId, status } }) => {
		return [id, { externalId: externalId ?? null, isFinished: isFinal(status) }] as const;
	});
	return Object.fromEntries(each);
}

function answer(webhookResponse: NudgeAnswer): IWebhookResponseData {
	return { webhookResponse };
}
