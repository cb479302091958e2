import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../../shared/api/client';
import { mapConcurrently } from '../../shared/api/concurrency';
import { listedEnvelope } from '../../shared/api/envelope';
import { endedUnsigned, serviceTime } from '../../shared/api/lifecycle';
import { parse, whole } from '../../shared/api/records';
import { everywhere } from '../../shared/envelope/folders';
import { seenId } from '../../shared/envelope/marker';
import { envelopesById, inBatches } from '../../shared/envelope/read';
import { rejectionIn } from '../../shared/envelope/rejection';
import { stuckIn } from '../../shared/envelope/stuck';
import { picked } from '../../shared/n8n/values';
import { lookUpKey, type NewDocument } from '../creation/newDocument';
import { indexed, inOrderOfWeight, Search } from '../creation/search';
import type { AtLeastOne, Found, Planned } from '../engine/planned';
import { cancellationOf } from '../envelope/auditLog';
import type { Prepared } from '../template/use';
import { addedPerson, compare, comparedSchema, otherTemplate, type Comparison } from './compare';
import { withLog, type Told } from './sinceWhen';

/** A row's document as it should be, and what is asked about it. */
export interface CheckPlan {
	prepared: Prepared;
	isAskedSinceWhen: boolean;
	isAskedForOthers: boolean;
}

export type Verdict =
	| 'matches'
	| 'missing'
	| 'draft'
	| 'different'
	| 'cannotCompare'
	| 'duplicate'
	| 'stuck'
	| 'ended'
	| 'noRow';

/** What has come out for a row. */
export interface Checked {
	verdict: Verdict;
	/** Null if there is none. */
	document: IDataObject | null;
	/** The IDs of other documents with the row's External ID. */
	others: string[];
	differences: Told[];
	notCompared: Comparison['notCompared'];
	/** Why nothing goes on with it. */
	stuck?: IDataObject;
	/** Who rejected or cancelled it, when and why. */
	ended?: IDataObject;
	/** Behind the last row of a template: its documents whose External ID no row has. */
	withoutRow?: IDataObject[];
}

/** What is kept of each document of a list, which may be long. */
const listed = listedEnvelope.pick({
	...{ id: true, status: true, externalId: true, createdAt: true },
});
type Listed = z.infer<typeof listed>;

const anyDocument = whole(z.object({ id: z.string() }));

type Row = Planned<CheckPlan>;
/** A row with the documents that have its External ID; the first one counts. */
type Candidates = Row & { having: Listed[] };

/** Finds the documents of all rows, and compares them. Changes nothing. */
export async function lookAndCompare(rows: AtLeastOne<Row>): Promise<Found<Checked>> {
	const byTemplate = new Map<string, AtLeastOne<Row>>();
	for (const row of rows) {
		const { id } = row.plan.prepared.template;
		const before = byTemplate.get(id);
		if (before) before.push(row);
		else byTemplate.set(id, [row]);
	}
	const next: Array<Planned<Checked>> = [];
	for (const ofOne of byTemplate.values()) next.push(...(await checkRows(ofOne)));
	return { next, failed: [] };
}

/** The rows of one template. */
async function checkRows(rows: AtLeastOne<Row>): Promise<Array<Planned<Checked>>> {
	const [{ item, plan }] = rows;
	const { client } = item;
	const all = await documentsFrom(client, plan.prepared.document.templateId);
	const found = indexed(all);
	const missing = rows.map(idOf).filter((id) => found.with(id).length === 0);
	// It may have been made from another template.
	const elsewhere = await new Search(client, item.execution.process).everywhere(missing);
	const candidates = rows.map((row): Candidates => {
		const own: Listed[] = found.with(idOf(row));
		return { ...row, having: inOrderOfWeight(own.length > 0 ? own : elsewhere.with(idOf(row))) };
	});
	const outcomes = await readAndCompare(client, candidates);
	const isOfTeam = defaultRecipientsAmong([...outcomes.values()]);
	const checked = await mapConcurrently(
		candidates,
		() => client.limit,
		async (row) => ({ item: row.item, plan: await concluded(row, outcomes.get(row), isOfTeam) }),
	);
	const last = checked.at(-1);
	if (last && rows.some((row) => row.plan.isAskedForOthers)) {
		const keys = new Set(rows.map((row) => lookUpKey(idOf(row).value)));
		const others = all.filter(({ externalId }) => !keys.has(lookUpKey(externalId ?? '')));
		last.plan.withoutRow = await readShown(client, others);
	}
	return checked;
}

function idOf({ plan }: Row) {
	return plan.prepared.document.externalId;
}

/** The documents that were made from a template, in all folders. */
async function documentsFrom(
	client: Client,
	templateId: NewDocument['templateId'],
): Promise<Listed[]> {
	const places = await everywhere(client, 'DOCUMENT');
	const queries = places.map((place) => ({ type: 'DOCUMENT', templateId, ...place }));
	const records = await client.lists('/envelope', queries, {
		keep: (page) => page.map((record) => picked(record, Object.keys(listed.shape))),
	});
	return records.map((record) => parse(listed, record));
}

/** What is known of a row's document before those of the other rows are. */
interface Outcome extends Pick<Checked, 'document' | 'stuck' | 'ended'> {
	status: string;
	id: string;
	comparison: Comparison;
}

/** A long check says in n8n's log how far it is. */
const ROWS_PER_MESSAGE = 1000;

/** Reads many documents in a request, and keeps none longer than it is compared. */
async function readAndCompare(
	client: Client,
	candidates: Candidates[],
): Promise<Map<Candidates, Outcome>> {
	const byDocument = new Map<string, Candidates[]>();
	for (const row of candidates) {
		const [first] = row.having;
		if (first) byDocument.set(first.id, [...(byDocument.get(first.id) ?? []), row]);
	}
	const outcomes = new Map<Candidates, Outcome>();
	const compareAll = (rows: Candidates[], record: IDataObject) => {
		for (const row of rows) {
			outcomes.set(row, outcomeFor(row, record));
			if (outcomes.size % ROWS_PER_MESSAGE > 0) continue;
			row.item.context.logger.info(`Checked ${outcomes.size} of ${candidates.length} rows`);
		}
	};
	await mapConcurrently(
		inBatches([...byDocument.keys()]),
		() => client.limit,
		async (batch) => {
			const read = await envelopesById(client, batch, anyDocument);
			for (const [id, record] of read) compareAll(byDocument.get(id) ?? [], record);
		},
	);
	return outcomes;
}

function outcomeFor({ item: { client }, plan: { prepared } }: Row, record: IDataObject): Outcome {
	const document = parse(comparedSchema, record);
	const { id, status } = document;
	const isOfTemplate = document.templateId === prepared.document.templateId;
	return {
		...{ id, status, document: shown(client, record) },
		comparison: isOfTemplate
			? compare(prepared, document)
			: { differences: [otherTemplate(prepared.template, document)], notCompared: [], others: [] },
		stuck: stuckIn(record, serviceTime(client)),
		ended: endedUnsigned(status) ? endIn(record) : undefined,
	};
}

function shown(client: Client, record: IDataObject): IDataObject {
	const { id, team, externalId } = parse(comparedSchema, record);
	return {
		...picked(record, ['id', 'title', 'status', 'createdAt', 'updatedAt', 'completedAt']),
		...{ externalId: externalId ? seenId(externalId) : null },
		url: client.documentUrl({ id, team }),
	};
}

function endIn(record: IDataObject): IDataObject {
	const { recipients, status, completedAt = null } = record;
	const { rejection } = rejectionIn(Array.isArray(recipients) ? recipients : []);
	return rejection ? { rejection } : { status, endedAt: completedAt };
}

async function readShown(client: Client, documents: Listed[]): Promise<IDataObject[]> {
	const read = await mapConcurrently(
		inBatches(documents.map(({ id }) => id)),
		() => client.limit,
		async (batch) =>
			[...(await envelopesById(client, batch, anyDocument)).values()].map((record) =>
				shown(client, record),
			),
	);
	return read.flat();
}

/** Whether Documenso has added somebody to documents as a default recipient of the team: nothing else adds one to several. */
function defaultRecipientsAmong(outcomes: Outcome[]) {
	const keyOf = ({ recipient: { email, role } }: Comparison['others'][number]) =>
		`${role} ${email.toLowerCase()}`;
	const counts = new Map<string, number>();
	for (const { comparison } of outcomes) {
		for (const one of comparison.others) {
			counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
		}
	}
	return (one: Comparison['others'][number]) =>
		one.mayBeDefault || (counts.get(keyOf(one)) ?? 0) > 1;
}

const NOTHING = { document: null, others: [], differences: [], notCompared: [] };

async function concluded(
	{ item, plan, having }: Candidates,
	outcome: Outcome | undefined,
	isOfTeam: (one: Comparison['others'][number]) => boolean,
): Promise<Checked> {
	// A list may show what is gone.
	if (!outcome) return { verdict: 'missing', ...NOTHING };
	const { id, status, document, stuck, comparison } = outcome;
	const others = having.map((one) => one.id).filter((one) => one !== id);
	const counting = having.filter((one) => one.status === 'PENDING' || one.status === 'COMPLETED');
	const { notCompared } = comparison;
	const added = comparison.others.filter((one) => !isOfTeam(one));
	const found = [
		...comparison.differences,
		...added.map(({ recipient }) => addedPerson(recipient)),
	];
	const differences = await withLog(item.client, id, found, plan.isAskedSinceWhen);
	const isCancelled = status === 'CANCELLED' && plan.isAskedSinceWhen;
	const ended = isCancelled
		? { cancellation: await cancellationOf(item.client, id) }
		: outcome.ended;
	const told = { document, others, differences, notCompared };
	const isDraftWanted = plan.prepared.document.sending === 'no';
	if (counting.length > 1) return { verdict: 'duplicate', ...told };
	if (ended) return { verdict: 'ended', ...told, ended };
	if (status === 'DRAFT' && !isDraftWanted) return { verdict: 'draft', ...told };
	const more = stuck ? { stuck } : {};
	if (differences.length > 0) return { verdict: 'different', ...told, ...more };
	if (stuck) return { verdict: 'stuck', ...told, ...more };
	return { verdict: notCompared.length > 0 ? 'cannotCompare' : 'matches', ...told };
}
