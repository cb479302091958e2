import type { IDataObject } from 'n8n-workflow';

import { ENVELOPE_ID } from '../fields/envelopeLocator';
import type { Params } from '../params';
import { filtersSchema } from '../schemas/filters';
import { json } from '../transport/body';
import type { ServiceRequest } from '../transport/client';
import { path } from '../transport/path';

/** The most ids that get-many takes (contract §1.4). */
const BATCH_SIZE = 20;

/** How a document or template is read by the id in `parameter`, alone or with others. */
export function readById(parameter: string) {
	return {
		size: BATCH_SIZE,
		// One malformed id would fail the request of the whole batch.
		key: (params: Params) => envelopeId(params, parameter),
		single: (id: string): ServiceRequest => ({ method: 'GET', path: path`/envelope/${id}` }),
		many: (ids: string[]): ServiceRequest => ({
			method: 'POST',
			path: '/envelope/get-many',
			body: json({ ids: { type: 'envelopeId', ids } }),
		}),
		items: dataOf,
		keyOf: (envelope: IDataObject) => envelope.id,
	};
}

/** How documents or templates are listed, newest first unless said otherwise. */
export function listOf(type: 'DOCUMENT' | 'TEMPLATE') {
	return {
		request: (params: Params): ServiceRequest => ({
			method: 'GET',
			path: '/envelope',
			query: {
				type,
				...params.collection('filters', filtersSchema),
			},
		}),
		items: dataOf,
		pages: ({ totalPages }: IDataObject) => Number(totalPages),
	};
}

export function envelopeId(params: Params, parameter: string): string {
	const id = params.required(parameter);
	if (new RegExp(`^${ENVELOPE_ID}$`).test(id)) return id;
	throw params.refuse(parameter, `cannot be used: "${id}" is not an ID that starts with envelope_`);
}

function dataOf({ data }: IDataObject): IDataObject[] {
	return data as IDataObject[];
}
