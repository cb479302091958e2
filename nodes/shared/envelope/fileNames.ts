import type { Envelope } from '../api/envelope';
import { fileNameOf, withoutEnding } from '../api/fileName';
import { isMadeUp } from './madeUpId';
import { withoutMarkers } from './marker';

/** Bytes of UTF-8. A name with two titles, a number, an ID and an ending stays below the 255 that file systems allow. */
const TITLE_BYTES = 85;
const ID_BYTES = 40;

/** Windows keeps these for devices, whatever ending follows. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\.|$)/i;

/** What every file of a document is named after: its title, as every file system takes it, and no shell as an option. */
export function stemOf(title: string): string {
	const stem = asFileName(withoutEnding(fileNameOf(title).normalize('NFC').trim()), TITLE_BYTES);
	return DEVICE.test(stem) ? `_${stem}` : stem || 'document';
}

function asFileName(text: string, bytes: number): string {
	const start = Buffer.from(text.replace(/[/\\:*?"<>|]/g, '_')).subarray(0, bytes);
	// A character that is cut through becomes U+FFFD.
	return start.toString().replace(/^[\s.-]+|(?<![\s.\uFFFD])[\s.\uFFFD]+$/g, '');
}

/** Characters at the end of Documenso's IDs, by which people tell documents apart. */
const ID_END = 8;

/**
 * The name of a file of a document. It ends with the External ID, or without one with the end of the document's ID:
 * contracts made from one template mostly have one title, and the second would overwrite the first.
 */
export function nameOfFile(
	{ id, externalId }: Pick<Envelope, 'id' | 'externalId'>,
	stem: string,
	type: 'json' | 'pdf' = 'pdf',
): string {
	const chosen = withoutMarkers(externalId)?.trim() ?? '';
	const name = isMadeUp(chosen) ? '' : asFileName(fileNameOf(chosen), ID_BYTES);
	// Another ID may become the same name.
	const end = name === chosen && name !== '' ? name : [name, id.slice(-ID_END)].join(' ').trim();
	return `${stem} (${end}).${type}`;
}

/**
 * The files of a document in their order, and what each is named after: of several, also its own title, with a number
 * where these are alike.
 */
export function withStems({ title, envelopeItems }: Pick<Envelope, 'title' | 'envelopeItems'>) {
	const stem = stemOf(title);
	const files = [...envelopeItems].sort((a, b) => a.order - b.order);
	if (files.length === 1) return files.map(({ id }) => ({ id, stem }));
	const taken = new Set<string>();
	return files.map((file) => {
		// Not `_`: a file titled "certificate" must not get the name of the document's certificate.
		const wanted = `${stem} - ${stemOf(file.title)}`;
		let own = wanted;
		// Many file systems don't tell upper from lower case.
		for (let number = 2; taken.has(own.toLowerCase()); number++) own = `${wanted} (${number})`;
		taken.add(own.toLowerCase());
		return { id: file.id, stem: own };
	});
}
