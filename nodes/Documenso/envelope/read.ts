import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import { templateSchema, type FillableTemplate } from '../api/envelope';
import { dataOf, parse } from '../api/records';
import { postToRead } from '../api/request';
import { withCause } from '../engine/cause';
import type { Values } from '../engine/input';
import type { Item } from '../engine/item';
import { Refusal } from '../engine/refusal';
import { queryOf, type places } from '../inputs/filters';
import { checkFolder, everywhere, type EnvelopeType } from './folders';
import { isOfOtherKind, readNamed, type Named } from './named';
import { simplifyEnvelope } from './simplify';

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
		size: BATCH_SIZE,
		key: (values: Record<Input, string>) => values[input],
		single: async (id: string, _: unknown, { client }: Item) => await readNamed(client, input, id),
		many: (ids: string[]) => getMany('envelopeId', ids),
		items: dataOf,
		// A record of the other kind is read alone, which refuses it.
		keysOf: (record: IDataObject) =>
			typeof record.id === 'string' && !isOfOtherKind(record, input) ? [record.id] : [],
	};
}

type Listing = Values<typeof places> & {
	filters: { orderByDirection?: 'asc' | 'desc' };
};

/** What both Get Many operations share. */
export function listOf(type: EnvelopeType) {
	return {
		simplify: simplifyEnvelope,
		records: async ({ searchIn, folderId, filters }: Listing, { client }: Item, wanted: number) => {
			const places =
				searchIn === 'everywhere'
					? await everywhere(client, type)
					: [searchIn === 'folder' ? { folderId } : {}];
			const query = { type, ...queryOf(filters) };
			const queries = places.map((place) => ({ ...query, ...place }));
			// For a folder that is unknown, or holds the other kind, the service returns an empty list instead of an error.
			const check = async () => await checkFolder(client, type, folderId, 'Folder');
			const found = await withCause(
				async () => await client.lists('/envelope', queries, wanted),
				check,
			);
			if (found.length === 0) await check();
			if (places.length === 1) return found;
			const sign = filters.orderByDirection === 'asc' ? 1 : -1;
			return found.sort((a, b) => sign * (creationTime(a) - creationTime(b)));
		},
	};
}

function creationTime({ createdAt }: IDataObject): number {
	return typeof createdAt === 'string' ? Date.parse(createdAt) : 0;
}
