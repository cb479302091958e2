import type { IExecuteFunctions } from 'n8n-workflow';

import type { Params } from '../params';
import { pageCount } from '../pdf/pageCount';
import type { Client } from '../transport/client';
import type { UploadFile } from '../transport/multipart';
import { path } from '../transport/path';
import { readEnvelope } from './envelope';

type Count = () => Promise<number | undefined>;

const counts = new WeakMap<IExecuteFunctions, Map<string, ReturnType<Count>>>();

/**
 * What is said of a file that lacks a page on which a field is to stand: the service would complete the document
 * without that field (observed §8).
 */
export async function tooShort(
	params: Params,
	page: number,
	{ key, name, stream }: Pick<UploadFile, 'key' | 'name' | 'stream'>,
): Promise<string | undefined> {
	return await lacking(params, page, { key, name, count: async () => await pageCount(stream()) });
}

/** Refuses a page that a file in Documenso, the first unless told, does not have. */
export async function checkStoredPage(
	params: Params,
	client: Client,
	place: { envelopeId: string; envelopeItemId: string; page: number },
) {
	const { envelopeId, envelopeItemId, page } = place;
	if (page === 1) return;
	const { envelopeItems } = readEnvelope(
		await client.read({ method: 'GET', path: path`/envelope/${envelopeId}` }),
	);
	const [first] = envelopeItems.sort((a, b) => a.order - b.order);
	const file = envelopeItemId ? envelopeItems.find(({ id }) => id === envelopeItemId) : first;
	// The service says what is wrong then.
	if (!file) return;
	const { id, title } = file;
	const request = {
		method: 'GET' as const,
		path: path`/envelope/item/${id}/download`,
		query: { version: 'original' },
	};
	const count = async () => await client.download(request, pageCount).catch(() => undefined);
	const fault = await lacking(params, page, { key: id, name: title, count });
	// Under Field: Move the input is part of a collection, which has another label.
	if (fault) throw params.refuseAll([{ column: 'Page', fault: `is ${page}, but ${fault}` }]);
}

async function lacking(
	params: Params,
	page: number,
	{ key, name, count }: { key: string; name: string; count: Count },
): Promise<string | undefined> {
	// Every file has one.
	if (page === 1) return undefined;
	const pages = await once(params, key, async () => {
		const counted = await count();
		if (counted === undefined) warn(params, name);
		return counted;
	});
	if (pages === undefined || page <= pages) return undefined;
	return `${name} has ${pages === 1 ? '1 page' : `${pages} pages`}`;
}

/** A file that many items share is counted for the first of them. */
async function once({ context }: Params, key: string, count: Count): ReturnType<Count> {
	const ofExecution = counts.get(context) ?? new Map<string, ReturnType<Count>>();
	counts.set(context, ofExecution);
	const counted = ofExecution.get(key) ?? count();
	ofExecution.set(key, counted);
	return await counted;
}

function warn({ context, itemIndex }: Params, name: string) {
	// Older versions of n8n have no hints.
	if (!('addExecutionHints' in context)) return;
	context.addExecutionHints({
		message: `The pages of ${name} could not be counted [item ${itemIndex}]: check that every field is on a page that the file has.`,
		location: 'outputPane',
	});
}
