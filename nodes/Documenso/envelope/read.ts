import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { ENVELOPE_ID } from '../fields/locators';
import type { Params } from '../params';
import { filtersSchema } from '../schemas/filters';
import { json } from '../api/body';
import type { Client, ServiceRequest } from '../api/client';
import { path } from '../api/path';
import { everywhere, type EnvelopeType } from './folders';
import { simplifyEnvelope } from './simplify';

/** The most ids that get-many takes (contract §1.4). */
const BATCH_SIZE = 20;

/** How a document or template is read by the id in `parameter`, alone or with others. */
export function readById(parameter: string) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /envelope/get-many',
		simplify: simplifyEnvelope,
		size: BATCH_SIZE,
		// One malformed id would fail the request of the whole batch.
		key: (params: Params) => envelopeId(params, parameter),
		single: async (id: string, _params: Params, client: Client) =>
			await client.send({ method: 'GET', path: path`/envelope/${id}` }),
		many: (ids: string[]) => getMany('envelopeId', ids),
		items: dataOf,
		keysOf: ({ id }: IDataObject) => [id as string],
	};
}

export function getMany(type: string, ids: Array<string | number>): ServiceRequest {
	const body = json({ ids: { type, ids } });
	return { method: 'POST', path: '/envelope/get-many', body, isRead: true };
}

/** How documents or templates are listed, newest first unless said otherwise. */
export function listOf(type: EnvelopeType) {
	return {
		endpoint: 'GET /folder, GET /envelope',
		simplify: simplifyEnvelope,
		requests: async (params: Params, client: Client): Promise<ServiceRequest[]> => {
			const filters = params.collection('filters', filtersSchema);
			const places = await placesOf(params, client, type);
			return places.map((place) => ({
				method: 'GET' as const,
				path: '/envelope',
				query: { type, ...filters, ...place },
			}));
		},
		items: dataOf,
		pages: pagesOf,
		order: (params: Params) => {
			const { orderByDirection } = params.collection('filters', filtersSchema);
			const sign = orderByDirection === 'asc' ? 1 : -1;
			return (a: IDataObject, b: IDataObject) => sign * (createdAt(a) - createdAt(b));
		},
	};
}

async function placesOf(
	params: Params,
	client: Client,
	type: EnvelopeType,
): Promise<IDataObject[]> {
	switch (params.string('searchIn')) {
		case 'everywhere':
			return await everywhere(client, type);
		case 'folder':
			return [{ folderId: params.required('folderId') }];
		default:
			return [{}];
	}
}

export function envelopeId(params: Params, parameter: string): string {
	const id = params.required(parameter);
	if (new RegExp(`^${ENVELOPE_ID}$`).test(id)) return id;
	throw params.refuse(parameter, `cannot be used: "${id}" is not an ID that starts with envelope_`);
}

export function dataOf({ data }: IDataObject): IDataObject[] {
	return z.array(z.record(z.unknown())).parse(data) as IDataObject[];
}

/** The commissioned description has the number of pages in an object of its own, the service does not. */
export function pagesOf({ totalPages, pagination }: IDataObject): number {
	const inside = (pagination as IDataObject | undefined)?.totalPages;
	return z.number().parse(totalPages ?? inside);
}

function createdAt(record: IDataObject): number {
	return Date.parse(record.createdAt as string);
}
