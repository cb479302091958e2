import { envelopeSchema } from '../api/envelope';
import type { UploadFile } from '../api/multipart';
import { path } from '../api/path';
import type { Item } from '../engine/item';
import { Refusal } from '../engine/refusal';
import { pageCount } from '../pdf/pageCount';
import { readNamedOnce } from './named';

interface File {
	/** What tells it from other files of the execution. */
	key: string;
	name: string;
	count: () => Promise<number | undefined>;
}

/**
 * What is said of a file that lacks the page of a field: the service would complete the document without that
 * field (documenso-api.md: Fields).
 */
export async function tooShort(
	item: Item,
	page: number,
	{ key, name, stream }: Pick<UploadFile, 'key' | 'name' | 'stream'>,
): Promise<string | undefined> {
	return await lacking(item, page, { key, name, count: async () => await pageCount(stream()) });
}

/** Refuses a page that a file in Documenso, the first unless told, does not have. */
export async function checkStoredPage(
	item: Item,
	place: { envelopeId: string; envelopeItemId: string; page: number },
) {
	const { envelopeId, envelopeItemId, page } = place;
	if (page === 1) return;
	const { client } = item;
	const stored = await readNamedOnce(client, 'envelopeId', envelopeId);
	const { envelopeItems } = client.parse(envelopeSchema, stored);
	const [first] = envelopeItems.sort((a, b) => a.order - b.order);
	const file = envelopeItemId ? envelopeItems.find(({ id }) => id === envelopeItemId) : first;
	// The service says what is wrong then.
	if (!file) return;
	const { id: key, title: name } = file;
	const request = {
		method: 'GET' as const,
		path: path`/envelope/item/${key}/download`,
		query: { version: 'original' },
	};
	const count = async () => await client.download(request, pageCount).catch(() => undefined);
	const fault = await lacking(item, page, { key, name, count });
	if (fault) throw new Refusal(`'Page' is ${page}, but ${fault}`);
}

async function lacking(item: Item, page: number, file: File): Promise<string | undefined> {
	// Every file has one.
	if (page === 1) return undefined;
	const { key, name, count } = file;
	// A file that many items share is counted for the first of them.
	const pages = await item.client.once(`pages of ${key}`, async () => {
		const counted = await count();
		if (counted === undefined) warn(item, name);
		return counted;
	});
	if (pages === undefined || page <= pages) return undefined;
	return `${name} has ${pages === 1 ? '1 page' : `${pages} pages`}`;
}

function warn({ context, index }: Item, name: string) {
	// Older versions of n8n have no hints.
	if (!('addExecutionHints' in context)) return;
	context.addExecutionHints({
		message: `The pages of ${name} could not be counted [item ${index}]: check that every field is on a page that the file has.`,
		location: 'outputPane',
	});
}
