import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import {
	envelopeSchema,
	templateSchema,
	type Envelope,
	type FillableTemplate,
} from '../api/envelope';
import { serviceTime } from '../api/lifecycle';
import type { Selection } from '../api/pages';
import { dataOf, parse, type Schema } from '../api/records';
import { postToRead } from '../api/request';
import { withCause } from '../n8n/cause';
import type { Values } from '../n8n/input';
import type { Item } from '../n8n/item';
import { Refusal } from '../n8n/refusal';
import { queryOf, type Filters, type places } from '../inputs/filters';
import { checkFolder, everywhere, type EnvelopeType } from './folders';
import { asSeen } from '../n8n/values';
import { seenId } from './marker';
import { isOfOtherKind, readNamed, type Named } from './named';
import { simplifyEnvelope } from './simplify';
import { stuckIn } from './stuck';

/** The most IDs that get-many takes (documenso-api.md: Reading many at once). */
export const BATCH_SIZE = 20;

/** IDs, as many together as get-many takes. */
export function inBatches(ids: string[]): string[][] {
	return Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, index) =>
		ids.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
	);
}

/** The request for many documents or templates by IDs of one kind. */
export function getMany(type: string, ids: Array<string | number>) {
	return postToRead('/envelope/get-many', { ids: { type, ids } });
}

/** Parts of documents or templates by their IDs, many in a request. One that is gone is missing. */
export async function envelopesById<Part extends Pick<Envelope, 'id'>>(
	client: Client,
	ids: Iterable<string>,
	schema: Schema<Part>,
): Promise<Map<string, Part>> {
	const read = await client.each(inBatches([...new Set(ids)]), async (batch) => {
		const records = dataOf(await client.send(getMany('envelopeId', batch)));
		return records.map((record) => parse(schema, record));
	});
	return new Map(read.flat().map((part) => [part.id, part]));
}

/** The template with this number, by which deprecated endpoints know it. */
export async function templateByNumber(
	client: Client,
	number: string | number,
): Promise<FillableTemplate> {
	const [record] = dataOf(await client.send(getMany('templateId', [number])));
	if (record) return parse(templateSchema, record);
	throw new Refusal(
		`'Template Number' is ${number}, but no template has this number`,
		"Check the number, and that the credential's token belongs to the team that owns the template. The resource 'Template' lists templates to choose from.",
	);
}

/** What both Get operations share. */
export function readById<Input extends Named>(input: Input) {
	return {
		simplify: simplifyEnvelope,
		key: (values: Record<Input, string>) => values[input],
		single: async (id: string, _: unknown, { client }: Item) => await readNamed(client, input, id),
		many: (ids: string[]) => getMany('envelopeId', ids),
		// A record of the other kind is read alone, which refuses it.
		keysOf: (record: IDataObject) =>
			typeof record.id === 'string' && !isOfOtherKind(record, input) ? [record.id] : [],
	};
}

/** Which documents or templates: what `places` and the filters of `documentFilters` or `templateFilters` hold. */
type Which = Values<typeof places> & { filters: Filters };

/**
 * The documents or templates in the order that is asked for, by default the newest first: up to as many as are wanted
 * of each folder. Several pages are read at a time, and no more once there are enough, or the later ones are beyond the
 * dates. Of each page, only what `keep` returns stays in memory: records with at least their `id` and `createdAt`.
 */
export async function recordsOf(
	type: EnvelopeType,
	{ searchIn, folderId, filters }: Which,
	{ client, context }: Item,
	{ wanted, keep }: Pick<Selection, 'wanted' | 'keep'>,
): Promise<IDataObject[]> {
	const places =
		searchIn === 'everywhere'
			? await everywhere(client, type)
			: [searchIn === 'folder' ? { folderId } : {}];
	const queries = places.map((place) => ({ type, ...queryOf(filters), ...place }));
	const selection = { wanted, ...selectionOf(filters, context.getTimezone(), keep) };
	// For a folder that is unknown, or holds the other kind, Documenso returns an empty list instead of an error.
	const check = async () => await checkFolder(client, type, folderId, 'Folder');
	const found = await withCause(
		async () => await client.lists('/envelope', queries, selection),
		check,
	);
	if (found.length === 0) await check();
	if (places.length === 1) return found;
	const sign = filters.orderByDirection === 'asc' ? 1 : -1;
	return found.sort((a, b) => sign * (creationTime(a) - creationTime(b)));
}

/** By the filters that Documenso does not have. A list is sorted by date, so a date tells where it can end. */
function selectionOf(
	{ createdAfter, createdBefore, externalId, orderByDirection }: Filters,
	zone: string,
	keep?: Selection['keep'],
): Selection {
	if (!createdAfter && !createdBefore && !externalId) return { keep };
	const time = (text: string) => DateTime.fromISO(text, { zone }).toMillis();
	const from = createdAfter ? time(createdAfter) : -Infinity;
	const until = createdBefore ? time(createdBefore) : Infinity;
	const isPast = (record: IDataObject) =>
		orderByDirection === 'asc' ? creationTime(record) >= until : creationTime(record) < from;
	const seen = externalId && asSeen(externalId);
	const hasId = ({ externalId: own }: IDataObject) =>
		!seen || (typeof own === 'string' && seenId(own) === seen);
	const isWanted = (record: IDataObject) =>
		creationTime(record) >= from && creationTime(record) < until && hasId(record);
	return {
		isLast: (records) => records.some(isPast),
		keep: async (records) => {
			const found = records.filter(isWanted);
			return keep ? await keep(found) : found;
		},
	};
}

function creationTime({ createdAt }: IDataObject): number {
	return typeof createdAt === 'string' ? Date.parse(createdAt) : 0;
}

const inTeam = envelopeSchema.pick({ id: true, team: true });

/** What both Get Many operations share. */
export function listOf(type: EnvelopeType) {
	return {
		simplify: simplifyEnvelope,
		records: async (which: Which, item: Item, wanted: number) => {
			const { onlyStuck: isOnlyStuck, status = 'PENDING' } = which.filters;
			if (isOnlyStuck && status !== 'PENDING') {
				throw new Refusal(
					"'Only Stuck' lists only pending documents, and 'Status' asks for others",
					'Remove one of the two filters.',
				);
			}
			const keep = isOnlyStuck ? onlyStuck(item.client) : undefined;
			const found = await recordsOf(type, which, item, { wanted, keep });
			return type === 'DOCUMENT' ? found.map((record) => withUrl(record, item.client)) : found;
		},
	};
}

function onlyStuck(client: Client) {
	const now = serviceTime(client);
	return (records: IDataObject[]) =>
		records.flatMap((record) => {
			const stuck = stuckIn(record, now);
			return stuck ? [{ ...record, stuck }] : [];
		});
}

function withUrl(record: IDataObject, client: Client): IDataObject {
	const known = inTeam.safeParse(record).data;
	const url = known && client.documentUrl(known);
	return url ? { ...record, url } : record;
}
