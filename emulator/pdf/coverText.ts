import { PDFDocument } from '@cantoo/pdf-lib';
import { AppError } from '../errors';
import type { StoredFile } from '../files';
import type { Instance } from '../instance';
import type { Place } from '../schemas/fields';
import { cover, placeOf } from './placeholders';

interface WantedText {
	text: string;
	/** All occurrences instead of only the first one. */
	matchAll: boolean;
}

/** Returns the place of each text, and the file with a white rectangle over all of them. */
export async function coverTexts(
	instance: Instance,
	file: StoredFile,
	wanted: readonly WantedText[],
): Promise<{ places: Place[][]; covered: StoredFile }> {
	const bytes = await file.read();
	const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
	const places: Place[][] = [];
	for (const { text, matchAll } of wanted) {
		const found = text === '' ? [] : await instance.pdfText.search(bytes, literal(text));
		if (found.length === 0) {
			throw new AppError('INVALID_BODY', `Placeholder "${text}" not found in PDF`);
		}
		const chosen = matchAll ? found : found.slice(0, 1);
		places.push(
			chosen.map((match) => {
				const page = pdf.getPage(match.page - 1);
				cover(match, page);
				return { page: match.page, ...placeOf(match, page) };
			}),
		);
	}
	return { places, covered: await instance.files.keep(await pdf.save()) };
}

function literal(text: string): RegExp {
	return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g');
}
