import type { Client } from '../../shared/api/client';
import { envelopeSchema } from '../../shared/api/envelope';
import { oneAtATime } from '../engine/oneAtATime';
import { parse } from '../../shared/api/records';
import { getFrom } from '../../shared/api/request';
import { hintAtPages, type Upload } from '../../shared/n8n/binary';
import type { Item } from '../../shared/n8n/item';
import { Refusal } from '../../shared/n8n/refusal';
import { pagesOf } from '../../shared/pdf/pages';
import { routeOf } from '../../shared/envelope/files';
import { misplacement } from './misplaced';
import { readNamedOnce } from '../../shared/envelope/named';

/** Why there should be no field on a page; `fault` continues "… is on page 2, but …". */
interface PageFault {
	fault: string;
	advice?: string;
}

/** What is known of a file whose pages may have fields. */
type Paged = Pick<Upload, 'name' | 'pages'>;

/**
 * The number of a page that may be counted from the end. Refuses one that the file does not have, or on which Documenso
 * misplaces fields.
 */
export function checkedPage(
	file: Paged,
	entered: number,
	label: string,
	isMisplacedAllowed: boolean,
): number {
	const page = pageIn(file, entered, label);
	const wrong = pageFault(file, page, isMisplacedAllowed);
	if (!wrong) return page;
	throw new Refusal(
		`'${label}' is ${entered}, but ${wrong.fault}`,
		wrong.advice ?? 'Enter a page that the file has, or use another file.',
	);
}

/** Below 1 if the file has fewer pages. */
function pageIn({ name, pages }: Paged, page: number, label: string): number {
	if (page > 0) return page;
	if (pages) return pages.length + 1 + page;
	throw new Refusal(
		`'${label}' is ${page}, counted from the end, but the pages of ${name} cannot be counted`,
		'Enter the number of the page, from 1.',
	);
}

/**
 * The number of a page of a file in Documenso, and the file: the first one unless `envelopeItemId` names one, because what
 * Documenso takes for the first may be another. Refuses a page that the file does not have, or on which Documenso misplaces
 * fields. Takes a request for each file.
 */
export async function storedPage(
	item: Item,
	place: { envelopeId: string; envelopeItemId: string; page: number },
	isMisplacedAllowed = false,
): Promise<{ page: number; envelopeItemId: string }> {
	const { envelopeId, envelopeItemId, page: entered } = place;
	// Every file has a first page.
	if (entered === 1 && isMisplacedAllowed) return { page: entered, envelopeItemId };
	const { client } = item;
	const stored = await readNamedOnce(client, 'envelopeId', envelopeId);
	const { envelopeItems } = parse(envelopeSchema.pick({ envelopeItems: true }), stored);
	const [first] = envelopeItems.sort((a, b) => a.order - b.order);
	const file = envelopeItemId ? envelopeItems.find(({ id }) => id === envelopeItemId) : first;
	// The service itself refuses a file that does not exist.
	if (!file) return { page: entered, envelopeItemId };
	const { id, title: name } = file;
	// Many items may share a file.
	const pages = await client.once(`pages of ${id}`, async () => {
		const read = await storedPages(client, id);
		if (Array.isArray(read)) return read;
		hintAtPages(item, name);
		return undefined;
	});
	const page = checkedPage({ name, pages }, entered, 'Page', isMisplacedAllowed);
	return { page, envelopeItemId: id };
}

/** Undefined if it cannot be read. One file of an execution at a time, because it is read into memory. */
async function storedPages(client: Client, id: string) {
	const { path, query } = routeOf(id, 'original');
	const read = async () => await client.download(getFrom(path, query), pagesOf);
	return await oneAtATime(client, 'files that are read', read).catch(() => undefined);
}

/** Refuses a file in which placeholders may be on a page on which Documenso misplaces them. */
export function checkPlaceholders(files: Upload[]) {
	const [first] = misplacingPages(files);
	if (!first) return;
	const { name, page, reason } = first;
	throw new Refusal(
		`'PDF Contains Placeholders' is on, but Documenso misplaces fields on page ${page} of ${name}: it ${reason}`,
		ADVICE,
	);
}

/** Tells of such a file where nobody says whether it has placeholders. */
export function hintAtPlaceholders({ execution }: Item, files: Upload[]) {
	for (const { name, page, reason } of misplacingPages(files)) {
		execution.hints.add(MISPLACED, `${name}: page ${page} ${reason}`, 'warning');
	}
}

/** In each file, the first page on which Documenso misplaces fields, and why. */
function misplacingPages(files: Upload[]) {
	return files.flatMap(({ name, pages = [] }) => {
		const reasons = pages.map(misplacement);
		const index = reasons.findIndex((reason) => reason !== undefined);
		return index < 0 ? [] : [{ name, page: index + 1, reason: reasons[index] }];
	});
}

const REWRITE =
	'Rewrite the file before this step, for example with: gs -o out.pdf -sDEVICE=pdfwrite -dUseCropBox -dAutoRotatePages=/None in.pdf.';

const ADVICE = `${REWRITE} To use it as it is, turn on 'Allow Misplaced Fields'.`;

const MISPLACED = `Documenso misplaces fields on a page of each of these files, also fields that it makes of text such as {{signature, r1}}. ${REWRITE}`;

/** What is wrong with a page for a field, which the service would accept. */
export function pageFault(
	{ name, pages }: Paged,
	page: number,
	isMisplacedAllowed: boolean,
): PageFault | undefined {
	const found = pages?.[page - 1];
	if (!pages) return undefined;
	if (!found) {
		return { fault: `${name} has ${pages.length === 1 ? '1 page' : `${pages.length} pages`}` };
	}
	const reason = isMisplacedAllowed ? undefined : misplacement(found);
	if (!reason) return undefined;
	return {
		fault: `Documenso misplaces fields on that page of ${name}: it ${reason}`,
		advice: ADVICE,
	};
}
