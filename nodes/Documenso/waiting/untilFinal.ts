import { DateTime } from 'luxon';
import {
	WAIT_INDEFINITELY,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type ITaskDataConnections,
} from 'n8n-workflow';

import { clock } from '../../shared/api/clock';
import type { Client } from '../../shared/api/client';
import { messageOf } from '../../shared/api/failure';
import { openRecipients } from '../../shared/api/lifecycle';
import type { Execution } from '../../shared/n8n/execution';
import { addHint, withLines } from '../../shared/n8n/hint';
import type { Values } from '../../shared/n8n/input';
import { readInputs } from '../engine/readInputs';
import type { Ending } from '../engine/operation';
import { noted, Refusal } from '../../shared/n8n/refusal';
import { isTool } from '../engine/tool';
import { recipientsWithLinks } from '../envelope/distribute';
import { withoutMarkers } from '../../shared/envelope/marker';
import { unfinished, unfinishedSince } from '../../shared/envelope/stuck';
import { waitingInputs } from '../../shared/inputs/waiting';
import { openAmong, outcomesOf, type Document, type Wait } from '../../shared/waiting/documents';
import { endedBefore, finish, itemsOf } from '../../shared/waiting/finish';
import { isListenedTo } from '../../shared/waiting/listeners';
import { readMarked, unmarkFinished } from './mark';
import { leadsTo, waiterOf } from './waiter';

type Settings = Values<typeof waitingInputs>;

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Puts the execution to wait until the documents of all items are finished. */
export const untilFinal: Ending = {
	inputs: waitingInputs,
	prepare: (context, parameters) => {
		const waitsAlready = restoreInput(context);
		// A tool's wait would stop the agent's execution in a place where nothing can wake it.
		if (isTool(context)) {
			throw new Refusal(
				// An agent is told only this message, not its description.
				"An agent's tool cannot wait for signatures: let the agent create and send the document, and put the operation that waits into a separate workflow",
			);
		}
		const settings = readInputs(waitingInputs, parameters, 0);
		// n8n would refuse the date when the documents are sent already.
		if (!(untilOf(settings) <= WAIT_INDEFINITELY)) {
			throw new Refusal(
				"'Wait For' is too long",
				"Enter a shorter time. To wait without a limit, turn off 'Limit Wait Time'.",
			);
		}
		return async (items, execution) => {
			const wait = await waitOf(execution, items, settings);
			if (!waitsAlready) return await waitFor(items, execution, wait, settings);
			// n8n cannot take back the wait that an earlier try has begun. Whatever ends it has to know what this try has sent.
			keep(context, wait);
			const output = await waitFor(items, execution, wait, settings).catch((error: unknown) => {
				if (execution.isCancelled) throw error;
				context.logger.warn(`The execution waits as before: ${messageOf(error)}`);
				replaceInput(
					context,
					itemsOf(wait, ({ id }) => ({ json: { outcome: 'timeLimit', id } })),
				);
				return items;
			});
			if (isReplaced(context)) return output;
			// But the wait can be over at once. A copy: with an error output, n8n empties the list that is returned.
			replaceInput(context, [...output]);
			await context.putExecutionToWait(new Date(clock.now()));
			return output;
		};
	},
};

/** For docs/operations.md, as in the descriptions of operations. */
export const RETURNED_AFTER_WAITING = '`outcome`, and the document';

async function waitFor(
	items: INodeExecutionData[],
	execution: Execution,
	wait: Wait,
	settings: Settings,
): Promise<INodeExecutionData[]> {
	const { context, process } = execution;
	if (wait.documents.length === 0) return items;
	const client = await execution.client();
	const waiter = await waiterOf(execution);
	const documents = await readMarked(waiter, wait).catch((error: unknown) => {
		throw noted(error, NOTHING_WAITS + (execution.continueOnFail ? GO_ON : RETRY));
	});
	const outcomes = outcomesOf(client, wait, documents);
	const open = openAmong(documents, outcomes);
	await unmarkFinished(waiter, documents);
	if (open.length === 0) {
		return await finish(context, client, wait, { read: documents, outcomes });
	}

	keep(context, wait);
	process.waits.begin(
		client.account,
		open.map(({ envelope }) => envelope.id),
		waiter,
	);
	const until = untilOf(settings);
	const unmarked = open.filter(({ envelope }) => !leadsTo(waiter, envelope.externalId));
	addHints(context, client, { open, unmarked, until });
	const describe = (id: string) => ({ id, ...stillOpen(client, wait, documents.get(id)) });
	const notInTime = { outcome: 'timeLimit', statusAsOf: new Date(clock.now()).toISOString() };
	replaceInput(
		context,
		itemsOf(wait, ({ id }) => {
			const outcome = outcomes.get(id);
			if (!outcome) return { json: { ...notInTime, ...describe(id) } };
			return { json: endedBefore(client, { id, outcome, document: documents.get(id) }, wait) };
		}),
	);
	const output = itemsOf(wait, ({ id }) => ({ json: describe(id) }));
	// If anything failed after this, n8n would run the node again.
	await context.putExecutionToWait(until);
	return output;
}

const NOTHING_WAITS =
	'The documents of this run were sent, but this execution does not wait for them. Running the workflow again might send them twice. ';
const RETRY =
	'Open Executions, then this execution, and choose Retry: that sends nothing again, and waits.';
/** Under Continue On Fail, the execution succeeds, and n8n retries only those that failed. */
const GO_ON = "Check them with 'Document: Get'.";

/** For the process that wakes the execution. */
function keep(context: IExecuteFunctions, wait: Wait) {
	const kept = context.getContext('node');
	kept.wait = { ...wait, isDoubtful: kept.isDoubtful === true };
}

/** By what stands in its place. */
const inputs = new WeakMap<object, ITaskDataConnections['main']>();

/** When the time is up, n8n outputs the node's input. */
function replaceInput(context: IExecuteFunctions, items: INodeExecutionData[]) {
	const { data } = context.getExecuteData();
	inputs.set(items, data.main ?? []);
	data.main = [items];
}

function isReplaced(context: IExecuteFunctions): boolean {
	const [items] = context.getExecuteData().data.main ?? [];
	return items ? inputs.has(items) : false;
}

/**
 * With Retry On Fail, n8n runs the node again if its first item has failed, although others wait already: then it needs its
 * input as it was. Returns whether that is so.
 */
function restoreInput(context: IExecuteFunctions): boolean {
	const { data } = context.getExecuteData();
	const [items] = data.main ?? [];
	const input = items && inputs.get(items);
	if (!input) return false;
	data.main = input;
	// Expressions read these.
	items.length = 0;
	for (const item of input[0] ?? []) items.push(item);
	return true;
}

async function waitOf(
	execution: Execution,
	items: INodeExecutionData[],
	{ addToOutput, endOnExpiry }: Settings,
): Promise<Wait> {
	const { account } = await execution.client();
	const wait: Wait = {
		account,
		documents: [],
		others: [],
		...(execution.testAddress === undefined ? {} : { isTest: true }),
		endsOnExpiry: endOnExpiry,
		parts: addToOutput,
	};
	for (const { json, pairedItem } of items) {
		// The engine pairs each item with one of the input.
		const { item } = pairedItem as { item: number };
		if (typeof json.id === 'string') wait.documents.push({ item, id: json.id });
		else wait.others.push({ item, json });
	}
	return wait;
}

/** What the node shows while it waits. */
function stillOpen(client: Client, { parts }: Wait, document: Document | undefined): IDataObject {
	if (!document) return {};
	const withLinks = parts.includes('signingLinks');
	const { envelope } = document;
	const { status, title, externalId } = envelope;
	const since = unfinishedSince(document.record);
	return {
		status,
		...(since ? { unfinishedSince: since.toISOString() } : {}),
		title,
		url: client.documentUrl(envelope),
		externalId: withoutMarkers(externalId),
		waitingFor: openRecipients(envelope).map(({ email }) => email),
		// A form may show this to whoever has filled it in.
		recipients: recipientsWithLinks(client, envelope).map(
			({ token: _token, signingUrl, ...recipient }) =>
				withLinks ? { ...recipient, signingUrl } : recipient,
		),
	};
}

function untilOf({ resumeAmount, resumeUnit }: Settings): Date {
	// They are not shown without a limit.
	if (resumeAmount === undefined || resumeUnit === undefined) return WAIT_INDEFINITELY;
	return new Date(clock.now() + resumeAmount * UNIT_MS[resumeUnit]);
}

/** Tells who has not signed yet, because the editor shows the hints of a node that waits, but not its output. */
function addHints(
	context: IExecuteFunctions,
	client: Client,
	{ open, unmarked, until }: { open: Document[]; unmarked: Document[]; until: Date },
) {
	const isLimited = until < WAIT_INDEFINITELY;
	const zone = context.getTimezone();
	const last = DateTime.fromJSDate(until, { zone }).toFormat('yyyy-MM-dd HH:mm');
	const limit = isLimited ? `Waits until ${last} at the latest. ` : '';
	addHint(context, withLines(`${limit}Not signed yet:`, open.map(lineFor)));
	const otherwise = isLimited ? 'goes on only when its time limit is over' : 'never goes on';
	if (unmarked.length > 0) {
		const warning = `These documents could not be marked, so only this n8n process knows that the execution waits for them. If n8n restarts before they are signed, or in queue mode, the execution ${otherwise}.`;
		addHint(context, withLines(warning, unmarked.map(lineFor)), 'warning');
	}
	if (isListenedTo(client)) return;
	addHint(
		context,
		`No published workflow in this n8n seems to have a Documenso Trigger or Documenso Polling Trigger with this credential. Publish one: otherwise this execution ${otherwise}. (In queue mode the node cannot see other workflows: ignore this if you have published one.)`,
		'warning',
	);
}

/** Without signing links: n8n saves hints with the execution, for everyone who may see it. */
function lineFor({ record, envelope }: Document): string {
	const since = unfinishedSince(record);
	const emails = openRecipients(envelope).map(({ email }) => email);
	const said = since ? unfinished(since).message : emails.join(', ');
	return `${envelope.title} (${envelope.id}): ${said}`;
}
