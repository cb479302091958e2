import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../../shared/api/client';
import { listedEnvelope } from '../../shared/api/envelope';
import { endedUnsigned } from '../../shared/api/lifecycle';
import { parse, whole } from '../../shared/api/records';
import { Turns } from '../../shared/api/turns';
import { everywhere } from '../../shared/envelope/folders';
import { TEST } from '../../shared/envelope/madeUpId';
import { seenId } from '../../shared/envelope/marker';
import { envelopesById, inBatches } from '../../shared/envelope/read';
import type { Item } from '../../shared/n8n/item';
import { groupedBy, type AtLeastOne } from '../../shared/n8n/values';
import { lookUpKey, type NewDocument } from '../creation/newDocument';
import { indexed, Search } from '../creation/search';
import type { Found, Planned } from '../engine/planned';
import {
	concluded,
	defaultRecipientsAmong,
	outcomeFor,
	shown,
	type Checked,
	type Outcome,
	type Row,
} from './verdict';

/** What is kept of each document of a list, which may be long. */
const listed = listedEnvelope.pick({ id: true, externalId: true, status: true });
type Listed = z.infer<typeof listed>;

const anyDocument = whole(z.object({ id: z.string() }));

/** Finds the documents of all rows, and compares them. Changes nothing. */
export async function lookAndCompare(rows: AtLeastOne<Row>): Promise<Found<Checked>> {
	const byTemplate = groupedBy(rows, ({ template }) => template.id);
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
	const [{ item, document }] = rows;
	const { client } = item;
	const isAskedForOthers = rows.some(({ options }) => options.alsoWithoutRow);
	const hasRow = (one: Listed) => known.has(lookUpKey(one.externalId ?? ''));
	const { templateId } = document;
	const all = await documentsFrom(client, templateId, (one) => {
		return hasRow(one) || (isAskedForOthers && isWanted(one));
	});
	const found = indexed(all);
	const missing = rows.map(idOf).filter((id) => found.with(id).length === 0);
	// It may have been made from another template.
	const elsewhere = await new Search(client, item.execution.process).everywhere(missing);
	const outcomes = await readAndCompare(client, rows, (row) => {
		const own: Array<{ id: string }> = found.with(idOf(row));
		return own.length > 0 ? own : elsewhere.with(idOf(row));
	});
	const isOfTeam = defaultRecipientsAmong([...outcomes.values()].flat());
	const checked = await client.each(rows, async (row) => ({
		item: row.item,
		...(await concluded(row, outcomes.get(row) ?? [], isOfTeam)),
	}));
	const last = checked.at(-1);
	if (last && isAskedForOthers) {
		const others = all.filter((one) => !hasRow(one));
		last.withoutRow = await readShown(client, others);
	}
	return checked;
}

/** What has ended without signatures needs no row any more, and one of a test has none. */
function isWanted({ status, externalId }: Listed): boolean {
	return !endedUnsigned(status) && !seenId(externalId).startsWith(TEST);
}

function idOf({ document }: Row) {
	return document.externalId;
}

/** The documents that were made from a template, in all folders. Of a long list, nothing else is kept. */
async function documentsFrom(
	client: Client,
	templateId: NewDocument['templateId'],
	isKept: (one: Listed) => boolean,
): Promise<Listed[]> {
	const places = await everywhere(client, 'DOCUMENT');
	const queries = places.map((place) => ({ type: 'DOCUMENT', templateId, ...place }));
	const records = await client.lists('/envelope', queries, {
		keep: (page) => page.map((record) => parse(listed, record)).filter(isKept),
	});
	return records.map((record) => parse(listed, record));
}

/** A long check says in n8n's log how far it is. */
const ROWS_PER_MESSAGE = 1000;

/** Reads many documents in a request, and keeps none longer than it is compared. */
async function readAndCompare(
	client: Client,
	rows: Row[],
	documentsOf: (row: Row) => Array<{ id: string }>,
): Promise<Map<Row, Outcome[]>> {
	const pairs = rows.flatMap((row) => documentsOf(row).map(({ id }) => ({ id, row })));
	const byDocument = groupedBy(pairs, ({ id }) => id);
	const outcomes = new Map<Row, Outcome[]>();
	const turns = new Turns();
	await client.each(inBatches([...byDocument.keys()]), async (batch) => {
		for (const [id, record] of await envelopesById(client, batch, anyDocument)) {
			for (const { row } of byDocument.get(id) ?? []) {
				const before = outcomes.get(row) ?? [];
				outcomes.set(row, [...before, outcomeFor(row, record)]);
				const isNext = before.length === 0 && outcomes.size % ROWS_PER_MESSAGE === 0;
				const { logger } = row.item.context;
				if (isNext) logger.info(`Checked ${outcomes.size} of ${rows.length} rows`);
				await turns.next();
			}
		}
	});
	return outcomes;
}

async function readShown(client: Client, documents: Listed[]): Promise<IDataObject[]> {
	const ids = documents.map(({ id }) => id);
	// Of thousands, not everything is kept.
	const brief = anyDocument.transform((record) => ({ ...shown(client, record), id: record.id }));
	return [...(await envelopesById(client, ids, brief)).values()];
}
