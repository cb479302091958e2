import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../../shared/api/client';
import { mapConcurrently } from '../../shared/api/concurrency';
import { listedEnvelope } from '../../shared/api/envelope';
import { endedUnsigned, serviceTime } from '../../shared/api/lifecycle';
import { parse, whole } from '../../shared/api/records';
import { Turns } from '../../shared/api/turns';
import { everywhere } from '../../shared/envelope/folders';
import { seenId } from '../../shared/envelope/marker';
import { envelopesById, inBatches } from '../../shared/envelope/read';
import { rejectionIn } from '../../shared/envelope/rejection';
import { stuckIn } from '../../shared/envelope/stuck';
import type { Item } from '../../shared/n8n/item';
import { picked } from '../../shared/n8n/values';
import { lookUpKey, type NewDocument } from '../creation/newDocument';
import { indexed, inOrderOfWeight, Search } from '../creation/search';
import type { AtLeastOne, Found, Planned } from '../engine/planned';
import { cancellationOf } from '../envelope/auditLog';
import type { Prepared } from '../template/use';
import { compare, otherTemplate } from './compare';
import { comparedSchema, type Compared, type Comparison } from './comparison';
import { addedPerson } from './people';
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
const listed = listedEnvelope.pick({ id: true, externalId: true });
type Listed = z.infer<typeof listed>;

/** What is shown of every document. */
const readSchema = comparedSchema.pick({
	...{ id: true, status: true, createdAt: true, team: true, externalId: true },
});

const anyDocument = whole(z.object({ id: z.string() }));

type Row = Planned<CheckPlan>;

/** Finds the documents of all rows, and compares them. Changes nothing. */
export async function lookAndCompare(rows: AtLeastOne<Row>): Promise<Found<Checked>> {
	const byTemplate = new Map<string, AtLeastOne<Row>>();
	for (const row of rows) {
		const { id } = row.plan.prepared.template;
		const before = byTemplate.get(id);
		if (before) before.push(row);
		else byTemplate.set(id, [row]);
	}
	const [{ item }] = rows;
	const known = await refusedIds(item);
	for (const row of rows) known.add(lookUpKey(idOf(row).value));
	const next: Array<Planned<Checked>> = [];
	for (const ofOne of byTemplate.values()) next.push(...(await checkRows(ofOne, known)));
	return { next, failed: [] };
}

/** What may be the External ID of a row that cannot be used: its document is not one without a row. */
export async function refusedIds({ client }: Item): Promise<Set<string>> {
	return await client.once('IDs of refused rows', () => new Set<string>());
}

/** The rows of one template; `known` are the External IDs of all rows. */
async function checkRows(
	rows: AtLeastOne<Row>,
	known: ReadonlySet<string>,
): Promise<Array<Planned<Checked>>> {
	const [{ item, plan }] = rows;
	const { client } = item;
	const all = await documentsFrom(client, plan.prepared.document.templateId);
	const found = indexed(all);
	const missing = rows.map(idOf).filter((id) => found.with(id).length === 0);
	// It may have been made from another template.
	const elsewhere = await new Search(client, item.execution.process).everywhere(missing);
	const outcomes = await readAndCompare(client, rows, (row) => {
		const own: Array<{ id: string }> = found.with(idOf(row));
		return own.length > 0 ? own : elsewhere.with(idOf(row));
	});
	const isOfTeam = defaultRecipientsAmong([...outcomes.values()].flat());
	const checked = await mapConcurrently(
		rows,
		() => client.limit,
		async (row) => ({
			item: row.item,
			plan: await concluded(row, outcomes.get(row) ?? [], isOfTeam),
		}),
	);
	const last = checked.at(-1);
	if (last && rows.some((row) => row.plan.isAskedForOthers)) {
		const others = all.filter(({ externalId }) => !known.has(lookUpKey(externalId ?? '')));
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

/** What is known of one of a row's documents before those of the other rows are. */
interface Outcome extends Pick<Checked, 'document' | 'stuck' | 'ended'> {
	status: string;
	id: string;
	createdAt: string;
	comparison: Comparison;
}

/** A long check says in n8n's log how far it is. */
const ROWS_PER_MESSAGE = 1000;

/** Reads many documents in a request, and keeps none longer than it is compared. */
async function readAndCompare(
	client: Client,
	rows: Row[],
	documentsOf: (row: Row) => Array<{ id: string }>,
): Promise<Map<Row, Outcome[]>> {
	const byDocument = new Map<string, Row[]>();
	for (const row of rows) {
		for (const { id } of documentsOf(row)) {
			const others = byDocument.get(id);
			if (others) others.push(row);
			else byDocument.set(id, [row]);
		}
	}
	const outcomes = new Map<Row, Outcome[]>();
	const turns = new Turns();
	await mapConcurrently(
		inBatches([...byDocument.keys()]),
		() => client.limit,
		async (batch) => {
			for (const [id, record] of await envelopesById(client, batch, anyDocument)) {
				for (const row of byDocument.get(id) ?? []) {
					const before = outcomes.get(row) ?? [];
					outcomes.set(row, [...before, outcomeFor(row, record)]);
					const isNext = before.length === 0 && outcomes.size % ROWS_PER_MESSAGE === 0;
					if (isNext) logProgress(row, outcomes.size, rows.length);
					await turns.next();
				}
			}
		},
	);
	return outcomes;
}

function logProgress({ item }: Row, done: number, all: number) {
	item.context.logger.info(`Checked ${done} of ${all} rows`);
}

function outcomeFor({ item: { client }, plan: { prepared } }: Row, record: IDataObject): Outcome {
	const { data: document, error } = comparedSchema.safeParse(record);
	const known = parse(readSchema, record);
	const { id, status, createdAt } = known;
	const comparison = { differences: [], notCompared: [], others: [] };
	return {
		...{ id, status, createdAt, document: shown(client, record) },
		stuck: stuckIn(record, serviceTime(client)),
		ended: endedUnsigned(status) ? endIn(record) : undefined,
		comparison: document
			? comparisonWith(prepared, document)
			: { ...comparison, notCompared: [unreadable(error)] },
	};
}

function comparisonWith(prepared: Prepared, document: Compared): Comparison {
	if (document.templateId === prepared.document.templateId) return compare(prepared, document);
	const differences = [otherTemplate(prepared.template, document)];
	return { differences, notCompared: [], others: [] };
}

/** One odd document must not keep the others from being checked. */
function unreadable({ issues: [issue] }: z.ZodError) {
	const where = issue?.path.join('.') ?? '';
	return { name: where, reason: `Documenso's answer cannot be read here: ${issue?.message ?? ''}` };
}

function shown(client: Client, record: IDataObject): IDataObject {
	const { id, team, externalId } = parse(readSchema, record);
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

/** Whether somebody is a default recipient of the team: in one document at least, they were there from its start. */
function defaultRecipientsAmong(outcomes: Outcome[]) {
	const keyOf = ({ recipient: { email, role } }: Comparison['others'][number]) =>
		`${role} ${email.toLowerCase()}`;
	const others = outcomes.flatMap(({ comparison }) => comparison.others);
	const known = new Set(others.filter((one) => one.mayBeDefault).map(keyOf));
	return (one: Comparison['others'][number]) => known.has(keyOf(one));
}

const NOTHING = { document: null, others: [], differences: [], notCompared: [] };

async function concluded(
	{ item, plan }: Row,
	outcomes: Outcome[],
	isOfTeam: (one: Comparison['others'][number]) => boolean,
): Promise<Checked> {
	const [outcome, ...less] = inOrderOfWeight(outcomes);
	// A list may show what is gone.
	if (!outcome) return { verdict: 'missing', ...NOTHING };
	const { id, status, document, stuck, comparison } = outcome;
	const others = less.map((one) => one.id);
	const counting = outcomes.filter((one) => ['PENDING', 'COMPLETED'].includes(one.status));
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
