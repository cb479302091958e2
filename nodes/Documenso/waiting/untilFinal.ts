import {
	WAIT_INDEFINITELY,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Client } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { openRecipients, type Envelope } from '../api/envelope';
import { CREDENTIAL, type Credential } from '../api/exchange';
import { isOutcomeUnknown, withNote } from '../api/failure';
import type { NewDocument } from '../creation/newDocument';
import type { Execution } from '../engine/execution';
import { readInputs, type Values } from '../engine/input';
import type { Ending } from '../engine/operation';
import { Refusal } from '../engine/refusal';
import { recipientsWithLinks } from '../envelope/distribute';
import {
	EXTERNAL_ID_MAX_LENGTH,
	MARKER_LENGTH,
	resumptionsIn,
	sealed,
	withMarker,
	withoutMarker,
	withoutMarkers,
	type Keys,
} from '../envelope/marker';
import { waitingInputs } from '../inputs/waiting';
import { isFinal, outcomesOf, readDocuments, type Document, type Documents } from './documents';
import { finish, itemsOf } from './finish';
import { addHints } from './hints';
import { isAnswer, reach } from './reach';
import { unmark } from './unmark';
import type { Wait } from './wait';

type Settings = Values<typeof waitingInputs>;

/** How often to write markers that are not there afterwards. */
const MARKING_ROUNDS = 3;

/** The limits of asking n8n about another execution, in milliseconds. */
const ASKING = { timeout: 30_000, patience: 0 };

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Puts the execution to wait until the documents of all items are finished. */
export const untilFinal: Ending = {
	inputs: waitingInputs,
	prepare: (context, parameters) => {
		// A tool's wait would stop the agent's execution in a place where nothing can wake it.
		if (context.getNode().type.endsWith('Tool')) {
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
		return async (items, execution) => await waitFor(items, execution, settings);
	},
};

/** For docs/operations.md, as in the descriptions of operations. */
export const RETURNED_AFTER_WAITING = '`outcome`, and the document';

export function withRoomForMarker(document: NewDocument): NewDocument {
	checkRoom(document.externalId.value);
	return document;
}

const TOO_LONG = "Use a shorter one. For a draft that exists, change it with 'Document: Update'.";

/** Refuses an external ID behind which there is no room for the marker. */
export function checkRoom(externalId: string) {
	const most = EXTERNAL_ID_MAX_LENGTH - MARKER_LENGTH;
	const length = withoutMarkers(externalId)?.length ?? 0;
	if (length <= most) return;
	const fault = `has ${length} characters; at most ${most} are allowed, because the node adds some while it waits`;
	throw Refusal.of([{ column: 'External ID', fault, advice: TOO_LONG }]);
}

async function waitFor(
	items: INodeExecutionData[],
	execution: Execution,
	settings: Settings,
): Promise<INodeExecutionData[]> {
	const { context } = execution;
	const wait = await waitOf(context, items, settings);
	if (wait.documents.length === 0) return items;
	const client = await execution.client();
	const documents = await readMarked(context, client, wait);
	const outcomes = outcomesOf(client, wait, documents);
	const open = openAmong(documents, outcomes);
	await unmarkFinished(context, client, wait, documents);
	if (open.length === 0) return await finish(context, client, wait, documents);

	context.getContext('node').wait = wait;
	const until = untilOf(settings);
	addHints(context, client, { open, until });
	const describe = (id: string) => ({ id, ...stillOpen(client, documents.get(id)) });
	// When the time is up, n8n outputs the node's input.
	context.getExecuteData().data.main = [
		itemsOf(wait, ({ id }) => ({
			json: { outcome: outcomes.get(id) ?? 'timeLimit', ...describe(id) },
		})),
	];
	const output = itemsOf(wait, ({ id }) => ({ json: describe(id) }));
	// If anything failed after this, n8n would run the node again.
	await context.putExecutionToWait(until);
	return output;
}

/** Marks all documents that are open, and returns them as they are afterwards. */
async function readMarked(
	context: IExecuteFunctions,
	client: Client,
	wait: Wait,
): Promise<Documents> {
	for (let round = 1; ; round++) {
		const documents = await readDocuments(client, wait);
		const open = openAmong(documents, outcomesOf(client, wait, documents));
		const unmarked = open.filter(({ envelope }) => !isMarked(envelope, wait));
		if (unmarked.length === 0 || round > MARKING_ROUNDS) return documents;
		await mapConcurrently(
			unmarked,
			() => client.limit,
			async ({ envelope }) => {
				await mark(context, client, envelope, wait);
			},
		);
		// Read again: an event that came before the marker woke nothing, and another execution may have overwritten it.
	}
}

/** Their events may have come before n8n could resume the execution: then nobody else removes the marker. */
async function unmarkFinished(
	context: IExecuteFunctions,
	client: Client,
	{ marker }: Wait,
	documents: Documents,
) {
	await mapConcurrently(
		[...documents.values()].filter(({ envelope }) => isFinal(envelope.status)),
		() => client.limit,
		async ({ envelope }) => {
			await unmark(context, client, envelope, [marker]);
		},
	);
}

function openAmong(read: Documents, outcomes: ReadonlyMap<string, unknown>): Document[] {
	return [...outcomes].flatMap(([id, outcome]) => (outcome ? [] : (read.get(id) ?? [])));
}

async function waitOf(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	{ addToOutput, endOnExpiry }: Settings,
): Promise<Wait> {
	const { token } = resumeUrlOf(context);
	const resumption = { executionId: context.getExecutionId(), token };
	const wait: Wait = {
		documents: [],
		others: [],
		marker: sealed(resumption, await keysOf(context)),
		isDoubtful: context.getContext('node').isDoubtful === true,
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

async function keysOf(context: IExecuteFunctions): Promise<Keys> {
	const { apiToken = '' } = await context.getCredentials<Credential>(CREDENTIAL);
	return { apiToken, instanceId: context.getInstanceId() };
}

/** From n8n's address for resuming, such as https://n8n.example.com/webhook-waiting/57?signature=0123… */
function resumeUrlOf(context: IExecuteFunctions) {
	const url = new URL(context.evaluateExpression('{{ $execution.resumeUrl }}', 0) as string);
	return {
		address: `${url.origin}${url.pathname.slice(0, url.pathname.lastIndexOf('/'))}`,
		token: url.searchParams.get('signature') ?? '',
	};
}

function isMarked({ externalId }: Envelope, { marker }: Wait): boolean {
	return withMarker(externalId ?? '', marker) === externalId;
}

async function mark(
	context: IExecuteFunctions,
	client: Client,
	{ id, externalId }: Envelope,
	wait: Wait,
) {
	let before = externalId ?? '';
	if (withMarker(before, wait.marker).length > EXTERNAL_ID_MAX_LENGTH) {
		before = await withoutEnded(context, before);
	}
	const marked = withMarker(before, wait.marker);
	if (marked.length > EXTERNAL_ID_MAX_LENGTH) {
		throw new Refusal(
			`'External ID' of the document ${id} has no room for the characters that the node adds while it waits: ${externalId}`,
			"Other executions wait for this document. Stop one of them, or shorten 'External ID' with 'Document: Update'.",
		);
	}
	const update = { envelopeId: id, data: { externalId: marked } };
	await client.post('/envelope/update', update).catch(async (error: unknown) => {
		const isUnknown = isOutcomeUnknown(error);
		if (isUnknown) {
			wait.isDoubtful = true;
			// It stays so for a later try of the node.
			context.getContext('node').isDoubtful = true;
			if ((await client.envelope(id).catch(() => undefined))?.externalId === marked) return;
		}
		const note = `The document ${id} was sent, but nothing would wake this execution when it is signed. A retry sends nothing again.`;
		throw withNote(error, note);
	});
}

/** The external ID without the markers of executions that n8n says have ended. */
async function withoutEnded(context: IExecuteFunctions, externalId: string): Promise<string> {
	const others = resumptionsIn(externalId, await keysOf(context));
	const way = { addresses: [resumeUrlOf(context).address], ...ASKING };
	let left = externalId;
	for (const [marker, other] of others) {
		const reception = await reach(context, other, way);
		const hasEnded = isAnswer(reception) ? reception.isOver : reception === 'gone';
		if (hasEnded) left = withoutMarker(left, marker);
	}
	return left;
}

/** What the node shows while it waits. */
function stillOpen(client: Client, document: Document | undefined): IDataObject {
	if (!document) return {};
	const { envelope } = document;
	const { status, title, externalId } = envelope;
	return {
		status,
		title,
		url: client.documentUrl(envelope),
		externalId: withoutMarkers(externalId),
		waitingFor: openRecipients(envelope).map(({ email }) => email),
		recipients: recipientsWithLinks(client, envelope),
	};
}

function untilOf({ resumeAmount, resumeUnit }: Settings): Date {
	// They are not shown without a limit.
	if (resumeAmount === undefined || resumeUnit === undefined) return WAIT_INDEFINITELY;
	return new Date(Date.now() + resumeAmount * UNIT_MS[resumeUnit]);
}
