import { envelopeSchema } from '../api/envelope';
import type { UploadFile } from '../api/multipart';
import { path } from '../api/path';
import { parse } from '../api/records';
import { isWord } from '../engine/binary';
import { addHint } from '../engine/hint';
import type { Item } from '../engine/item';
import { escaped } from '../engine/nodeError';
import { Refusal } from '../engine/refusal';
import { pageCount } from '../pdf/pageCount';
import { readNamedOnce } from './named';

export const OTHER_PAGE = 'Enter a page that the file has, or use another file.';

/** What the file lacks, if it does not have this page: the service would complete a document without the field. */
export async function missingPage(
	item: Item,
	page: number,
	file: UploadFile,
): Promise<string | undefined> {
	// Documenso decides how many pages a Word file gets.
	const count = async () => (isWord(file) ? undefined : await pageCount(file.stream()));
	return await missingIn(item, page, file, count);
}

/** Refuses a page that a file in Documenso does not have: the first file unless `envelopeItemId` names one. */
export async function checkStoredPage(
	item: Item,
	place: { envelopeId: string; envelopeItemId: string; page: number },
) {
	const { envelopeId, envelopeItemId, page } = place;
	if (page === 1) return;
	const { client } = item;
	const stored = await readNamedOnce(client, 'envelopeId', envelopeId);
	const { envelopeItems } = parse(envelopeSchema.pick({ envelopeItems: true }), stored);
	const [first] = envelopeItems.sort((a, b) => a.order - b.order);
	const file = envelopeItemId ? envelopeItems.find(({ id }) => id === envelopeItemId) : first;
	// The service itself refuses a file that does not exist.
	if (!file) return;
	const { id: key, title: name } = file;
	const request = {
		method: 'GET' as const,
		path: path`/envelope/item/${key}/download`,
		query: { version: 'original' },
	};
	const count = async () => await client.download(request, pageCount).catch(() => undefined);
	const fault = await missingIn(item, page, { key, name }, count);
	if (fault) throw new Refusal(`'Page' is ${page}, but ${fault}`, OTHER_PAGE);
}

async function missingIn(
	item: Item,
	page: number,
	{ key, name }: Pick<UploadFile, 'key' | 'name'>,
	count: () => Promise<number | undefined>,
): Promise<string | undefined> {
	// Every file has a first page.
	if (page === 1) return undefined;
	// Many items may share a file.
	const total = await item.client.once(`pages of ${key}`, async () => {
		const counted = await count();
		if (counted === undefined) warn(item, name);
		return counted;
	});
	if (total === undefined || page <= total) return undefined;
	return `${name} has ${total === 1 ? '1 page' : `${total} pages`}`;
}

function warn({ context, index }: Item, name: string) {
	addHint(
		context,
		`The pages of ${escaped(name)} could not be counted [item ${index}]: check that every field is on a page that the file has.`,
	);
}
