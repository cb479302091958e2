import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { notFoundError } from '../errors';
import { ENVELOPE_ID } from '../fields/locators';
import type { Params } from '../params';
import { filtersSchema } from '../schemas/filters';
import { json } from '../transport/body';
import type { Client, ServiceRequest } from '../transport/client';
import { path } from '../transport/path';
import { allFolders, everywhere, type EnvelopeType } from './folders';
import { simplifyEnvelope } from './simplify';

/** The most ids that get-many takes (contract §1.4). */
const BATCH_SIZE = 20;

/** What an input of this name may name. */
const NAMED = {
	documentId: 'document',
	templateId: 'template',
	envelopeId: 'document or template',
} as const;

export type EnvelopeInput = keyof typeof NAMED;

/** How a document or template is read by the id in `parameter`, alone or with others. */
export function readById(parameter: 'documentId' | 'templateId') {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /envelope/get-many',
		simplify: simplifyEnvelope,
		size: BATCH_SIZE,
		// One malformed id would fail the request of the whole batch.
		key: (params: Params) => envelopeId(params, parameter),
		single: async (_id: string, params: Params, client: Client) =>
			await readNamed(params, client, parameter),
		many: (ids: string[]) => getMany('envelopeId', ids),
		items: dataOf,
		// One of the other kind is read alone, which refuses it.
		keysOf: (record: IDataObject) => (otherKind(record, parameter) ? [] : [record.id as string]),
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
		extent: extentOf,
		check: async (params: Params, client: Client) => await checkFolder(params, client, type),
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

/**
 * Reads the document or template that the input names, anew or once an execution. Throws when there is none, or
 * when it is of the other kind: the service would take it in many places.
 */
export async function readNamed(
	params: Params,
	client: Client,
	parameter: EnvelopeInput,
	how: 'send' | 'read' = 'send',
): Promise<IDataObject> {
	const id = envelopeId(params, parameter);
	const request = { method: 'GET', path: path`/envelope/${id}` } as const;
	const body = await client[how](request).catch((error: unknown) => {
		throw notFoundError(error, `There is no ${NAMED[parameter]} with the ID ${id}`);
	});
	const other = otherKind(body, parameter);
	if (!other) return body;
	throw params.refuse(
		parameter,
		`names a ${other.toLowerCase()}: ${id}`,
		`Choose a ${NAMED[parameter]}, or use the resource '${other}'.`,
	);
}

/** The resource that what was read belongs to, where it is not the one that the input asks for. */
function otherKind({ type }: IDataObject, parameter: EnvelopeInput): string | undefined {
	if (parameter === 'documentId' && type === 'TEMPLATE') return 'Template';
	if (parameter === 'templateId' && type === 'DOCUMENT') return 'Document';
	return undefined;
}

/** The service lists nothing in a folder that it does not know, or that holds the other kind. */
async function checkFolder(params: Params, client: Client, type: EnvelopeType) {
	if (params.string('searchIn') !== 'folder') return;
	const id = params.required('folderId');
	const folders = await allFolders(client, type);
	if (folders.some((folder) => folder.id === id)) return;
	throw params.refuse(
		'folderId',
		`names no folder of ${type.toLowerCase()}s: ${id}`,
		"Check the ID, and that the credential's token belongs to the team that owns the folder.",
	);
}

const extentSchema = z.object({ pages: z.number(), count: z.number().optional() });

/** The commissioned description has these numbers in an object of their own, the service does not. */
export function extentOf({ totalPages, count, pagination }: IDataObject) {
	const inside = pagination as IDataObject | undefined;
	return extentSchema.parse({
		pages: totalPages ?? inside?.totalPages,
		count: count ?? inside?.totalItems,
	});
}

function createdAt(record: IDataObject): number {
	return Date.parse(record.createdAt as string);
}
