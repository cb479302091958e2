import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { envelopeSchema, type Envelope } from '../api/envelope';
import { CREDENTIAL, type Credential } from '../api/exchange';
import { isOutcomeUnknown, withNote } from '../api/failure';
import { isFinal } from '../api/lifecycle';
import { Refusal } from '../engine/refusal';
import {
	EXTERNAL_ID_MAX_LENGTH,
	resumptionsIn,
	sealed,
	withMarker,
	withoutMarker,
	type Keys,
} from '../envelope/marker';
import { openAmong, outcomesOf, readDocuments, type Documents } from './documents';
import { isAnswer, reach, resumeAddressIn } from './reach';
import { unmark } from './unmark';
import type { Wait } from './wait';

/** How often to write markers that are not there afterwards. */
const MARKING_ROUNDS = 3;

/** What was read is not much older than this when it is written back, in milliseconds. */
const FRESH_MS = 2000;

/** The limits of asking n8n about another execution, in milliseconds. */
const ASKING = { timeout: 30_000, patience: 0 };

/** A marker that leads to this execution. */
export async function markerFor(context: IExecuteFunctions): Promise<string> {
	const { token } = resumeUrlOf(context);
	return sealed({ executionId: context.getExecutionId(), token }, await markerKeys(context));
}

/** Marks all documents that are open, and returns them as they are afterwards. */
export async function readMarked(
	context: IExecuteFunctions,
	client: Client,
	wait: Wait,
): Promise<Documents> {
	for (let round = 1; ; round++) {
		const readAt = Date.now();
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
		// Another execution may have written its own marker in between, which is overwritten now.
		if (Date.now() - readAt > FRESH_MS) doubt(context, wait);
		// Read again: an event that came before the marker woke nothing, and another execution may have overwritten it.
	}
}

/** Their events may have come before n8n could resume the execution: then nobody else removes the marker. */
export async function unmarkFinished(
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

type Markable = Pick<Envelope, 'id' | 'externalId'>;

const withExternalId = envelopeSchema.pick({ externalId: true });

function isMarked({ externalId }: Markable, { marker }: Wait): boolean {
	return withMarker(externalId ?? '', marker) === externalId;
}

async function mark(
	context: IExecuteFunctions,
	client: Client,
	{ id, externalId }: Markable,
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
			doubt(context, wait);
			const after = await client.envelope(id, withExternalId).catch(() => undefined);
			if (after?.externalId === marked) return;
		}
		const note = `The document ${id} was sent, but nothing would wake this execution when it is signed. A retry sends nothing again.`;
		throw withNote(error, note);
	});
}

/** At the end, the audit log is asked whether a marker was lost. */
function doubt(context: IExecuteFunctions, wait: Wait) {
	wait.isDoubtful = true;
	// It stays so for a later try of the node.
	context.getContext('node').isDoubtful = true;
}

/** The external ID without the markers of executions that n8n says have ended. */
async function withoutEnded(context: IExecuteFunctions, externalId: string): Promise<string> {
	const others = resumptionsIn(externalId, await markerKeys(context));
	const way = { addresses: [resumeUrlOf(context).address], ...ASKING };
	let left = externalId;
	for (const [marker, other] of others) {
		const reception = await reach(context, other, way);
		const hasEnded = isAnswer(reception) ? reception.isOver : reception === 'gone';
		if (hasEnded) left = withoutMarker(left, marker);
	}
	return left;
}

async function markerKeys(context: IExecuteFunctions): Promise<Keys> {
	const { apiToken = '' } = await context.getCredentials<Credential>(CREDENTIAL);
	return { apiToken, instanceId: context.getInstanceId() };
}

/** From n8n's address for resuming, such as https://n8n.example.com/webhook-waiting/57?signature=0123… */
function resumeUrlOf(context: IExecuteFunctions) {
	const url = new URL(context.evaluateExpression('{{ $execution.resumeUrl }}', 0) as string);
	return {
		address: resumeAddressIn(url),
		token: url.searchParams.get('signature') ?? '',
	};
}
