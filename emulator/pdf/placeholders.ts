import {
	decodePDFRawStream,
	PDFDict,
	PDFName,
	PDFRawStream,
	rgb,
	type PDFDocument,
	type PDFPage,
} from '@cantoo/pdf-lib';
import type { NewField } from '../envelopes/draft';
import { FIELD_TYPES, fieldAndMeta, type FieldType } from '../schemas/fields';
import { sealedFrame } from './pageFrame';
import type { FoundText, PdfTextReader } from './textReader';

const PLACEHOLDER = /\{\{[^}]+\}\}/g;

const BOOLEAN_OPTIONS = ['required', 'readOnly'];
const NUMBER_OPTIONS = ['fontSize', 'minValue', 'maxValue', 'characterLimit'];

/** As recorded, a line of text reaches 0.8 of its size above the baseline and 0.2 below. */
const ASCENT = 0.8;

export type FoundPlaceholder = Omit<NewField, 'envelopeItemId' | 'recipientId'> & {
	/** 1 for `r1`. */
	recipientNumber: number;
	/** As it was written: `R1`. */
	recipientText: string;
};

/**
 * Turns `{{type, rN, option=value}}` in the text into fields, and covers the text with a white
 * rectangle (documenso-api.md: Placeholders in PDFs).
 */
export async function extractPlaceholders(
	reader: PdfTextReader,
	pdf: PDFDocument,
	bytes: Uint8Array,
): Promise<FoundPlaceholder[]> {
	if (!mayHavePlaceholders(pdf)) return [];
	const placeholders: FoundPlaceholder[] = [];
	for (const found of await reader.search(bytes, PLACEHOLDER)) {
		const parsed = parsePlaceholder(found.text);
		if (!parsed) continue;
		const page = pdf.getPage(found.page - 1);
		placeholders.push({ ...parsed, page: found.page, ...placeOf(found, page) });
		cover(found, page);
	}
	return placeholders;
}

function parsePlaceholder(text: string) {
	const [typeName = '', recipientText = '', ...options] = text
		.slice(2, -2)
		.split(',')
		.map((part) => part.trim());
	const type = FIELD_TYPES.find((candidate) => candidate === typeName.toUpperCase());
	const digits = /^r(\d+)$/i.exec(recipientText)?.[1];
	if (!type || digits === undefined) return undefined;
	const recipientNumber = Number(digits);
	// One invalid value fails the whole upload, with the issues as the message.
	const field = fieldAndMeta.parse({ type, fieldMeta: metaOf(type, options) });
	return { ...field, recipientNumber, recipientText };
}

function metaOf(type: FieldType, options: readonly string[]): object | undefined {
	if (options.length === 0 || type.endsWith('SIGNATURE')) return undefined;
	const entries = options.map((option) => {
		const [key = '', value] = option.split('=');
		return [key, optionValue(key, value)] as const;
	});
	return {
		type: type.toLowerCase(),
		...Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
	};
}

/** Undefined as if the option were left out, where it has no value or no number. */
function optionValue(
	key: string,
	value: string | undefined,
): string | number | boolean | undefined {
	if (BOOLEAN_OPTIONS.includes(key)) return value === 'true';
	if (!NUMBER_OPTIONS.includes(key)) return value;
	return Number.isNaN(Number(value)) ? undefined : Number(value);
}

export function placeOf(found: FoundText, page: PDFPage) {
	const { width, height } = sealedFrame(page);
	// The database refuses what is divided by it.
	if (width * height === 0) throw new Error('Invalid `prisma.field.createMany()` invocation');
	const top = height - (found.baseline + ASCENT * found.size);
	const fieldHeight = (found.size / height) * 100;
	return {
		positionX: (found.left / width) * 100,
		positionY: (top / height) * 100,
		width: ((found.right - found.left) / width) * 100,
		height: fieldHeight < 0.01 ? 2 : fieldHeight,
	};
}

export function cover(found: FoundText, page: PDFPage): void {
	page.drawRectangle({
		x: found.left,
		y: found.baseline - (1 - ASCENT) * found.size,
		width: found.right - found.left,
		height: found.size,
		color: rgb(1, 1, 1),
	});
}

/**
 * A cheap check before the expensive search: with standard fonts, a brace in the text is a brace (or
 * its hex code) in a content stream. Embedded fonts can encode characters in any way.
 */
function mayHavePlaceholders(pdf: PDFDocument): boolean {
	let hasFont = false;
	let hasBrace = false;
	for (const [, object] of pdf.context.enumerateIndirectObjects()) {
		if (object instanceof PDFRawStream) hasBrace ||= hasBraceIn(object);
		if (!(object instanceof PDFDict)) continue;
		if (object.get(PDFName.of('Type')) !== PDFName.of('Font')) continue;
		hasFont = true;
		if (object.has(PDFName.of('DescendantFonts')) || object.has(PDFName.of('FontDescriptor'))) {
			return true;
		}
	}
	return hasFont && hasBrace;
}

function hasBraceIn(stream: PDFRawStream): boolean {
	const subtype = stream.dict.get(PDFName.of('Subtype'));
	if (subtype === PDFName.of('Image')) return false;
	const content = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
	return content.includes('{') || /7b/i.test(content);
}
