import { envelopeSchema } from '../api/envelope';
import type { UploadFile } from '../api/multipart';
import { parse } from '../api/records';
import { getFrom } from '../api/request';
import { hintAtPages, isWord } from '../engine/binary';
import type { Item } from '../engine/item';
import { Refusal } from '../engine/refusal';
import { pageCount } from '../pdf/pageCount';
import { routeOf } from './files';
import { readNamedOnce } from './named';

export const OTHER_PAGE = 'Enter a page that the file has, or use another file.';

/** What the file lacks, if it does not have this page: the service would complete a document without the field. */
export async function missingPage(
	item: Item,
	page: number,
	file: UploadFile,
): Promise<string | undefined> {
	if (page > 1 && isWord(file)) {
		// Documenso decides how many pages it gets.
		await item.client.once(`hint at ${file.name}`, () => hintAtPages(item, file.name));
	}
	return missingIn(page, file);
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
	const { id, title: name } = file;
	const { path, query } = routeOf(id, 'original');
	// Many items may share a file.
	const pages = await client.once(`pages of ${id}`, async () => {
		const counted = await client.download(getFrom(path, query), pageCount).catch(() => undefined);
		if (typeof counted === 'number') return counted;
		hintAtPages(item, name);
		return undefined;
	});
	const fault = missingIn(page, { name, pages });
	if (fault) throw new Refusal(`'Page' is ${page}, but ${fault}`, OTHER_PAGE);
}

function missingIn(page: number, { name, pages }: { name: string; pages?: number }) {
	if (pages === undefined || page <= pages) return undefined;
	return `${name} has ${pages === 1 ? '1 page' : `${pages} pages`}`;
}
