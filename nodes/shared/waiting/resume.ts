import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { clock } from '../api/clock';
import { HttpClient } from '../api/client';
import { messageOf } from '../api/failure';
import { isFinal } from '../api/lifecycle';
import { readUntilOpen, type Documents } from './documents';
import { finish } from './finish';
import { readWait } from './wait';

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

/** How long reading and downloading may take, in milliseconds. Many documents may take minutes at the rate limit. */
const TIMEOUT_MS = 300_000;

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

/** A document as it was read. */
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
		// A brace would end the expression.
		const name = JSON.stringify(context.getNode().name).replaceAll('}', '\\u007d');
		const kept = context.evaluateExpression(`{{ $node[${name}].context.wait }}`);
		const wait = readWait(kept);
		const client = await HttpClient.of(context, { deadline: clock.timeout(TIMEOUT_MS) });
		const { read, isOver } = await readUntilOpen(client, wait);
		const isDoubtful = wait.isDoubtful ?? false;
		const answered = answer({ isUnknown: false, isOver, isDoubtful, seen: seenIn(read) });
		if (!isOver) return answered;
		return { ...answered, workflowData: [await finish(context, client, wait, read)] };
	} catch (error) {
		context.logger.warn(`The execution goes on waiting: ${messageOf(error)}`);
		return answer({ isUnknown: true });
	}
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
