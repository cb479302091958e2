import type { Envelope } from '../api/envelope';
import { fileNameOf, withoutEnding } from '../api/fileName';

/** Bytes of UTF-8. A name with two titles, a number and an ending stays below the 255 that file systems allow. */
const TITLE_BYTES = 100;

/** Windows keeps these for devices, whatever ending follows. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\.|$)/i;

/** What every file of a document is named after: its title, as every file system takes it, and no shell as an option. */
export function stemOf(title: string): string {
	const name = withoutEnding(fileNameOf(title).normalize('NFC').trim());
	const start = Buffer.from(name.replace(/[/\\:*?"<>|]/g, '_')).subarray(0, TITLE_BYTES);
	// A character that is cut through becomes U+FFFD.
	const stem = start.toString().replace(/^[\s.-]+|(?<![\s.\uFFFD])[\s.\uFFFD]+$/g, '');
	return DEVICE.test(stem) ? `_${stem}` : stem || 'document';
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
