import {
	degrees,
	PDFDocument,
	rgb,
	StandardFonts,
	type PDFFont,
	type PDFPage,
} from '@cantoo/pdf-lib';
import type { Envelope, EnvelopeItem, Field, Recipient } from '../entities';
import { fieldName, shownTexts } from '../envelopes/fieldValues';
import { addCertificate } from './certificate';
import { loadPdf } from './documentFile';
import { encodable } from './text';

const INK = rgb(0.07, 0.1, 0.25);
const MARKER = rgb(1, 0.95, 0.68);
const FRAME = rgb(0.85, 0.68, 0.2);

interface Fonts {
	regular: PDFFont;
	/** Of the fonts that every viewer has, the most like handwriting. */
	script: PDFFont;
}

/** An item with all values filled in so far, and a certificate page if the document is finished. */
export async function drawSignedPdf(
	envelope: Envelope,
	item: EnvelopeItem,
	certificate: 'none' | 'completed' | 'rejected',
	now: Date,
): Promise<Uint8Array> {
	const { pdf, fonts } = await openItem(item);
	if (certificate === 'rejected') pdf.getPages().forEach((page) => stamp(page, fonts.regular));
	if (certificate !== 'none') await addCertificate(pdf, envelope, now);
	for (const field of fieldsOf(envelope, item)) {
		if (certificate === 'none' && !field.inserted) continue;
		// The certificate's pages count: a field after the file's last page lands on them, and a
		// field after those prevents sealing forever.
		const page = pdf.getPages()[field.page - 1];
		if (!page) throw new Error(`Page ${field.page} does not exist`);
		if (field.inserted) drawField(page, field, fonts);
	}
	return await pdf.save();
}

/** What a recipient sees before signing: everybody's values, and the places of their own fields. */
export async function drawPreview(
	envelope: Envelope,
	item: EnvelopeItem,
	recipient: Recipient,
): Promise<Uint8Array> {
	const { pdf, fonts } = await openItem(item);
	for (const field of fieldsOf(envelope, item)) {
		const page = pdf.getPages()[field.page - 1];
		if (!page) continue;
		if (field.inserted) drawField(page, field, fonts);
		else if (field.recipientId === recipient.id) markField(page, field, fonts.regular);
	}
	return await pdf.save();
}

async function openItem(item: EnvelopeItem): Promise<{ pdf: PDFDocument; fonts: Fonts }> {
	const bytes = await item.original.read();
	const whole = await loadPdf(bytes);
	// As recorded, a file truncated before its catalog can be sent but never sealed. Truncated after it,
	// its pages are missing, and only the added pages remain.
	if (!whole && !/\/Type \/Catalog[^>]*>>/.test(bytes.toString('latin1'))) {
		throw new Error('Document has no pages');
	}
	const pdf = whole ?? (await PDFDocument.create());
	const regular = await pdf.embedFont(StandardFonts.Helvetica);
	const script = await pdf.embedFont(StandardFonts.TimesRomanItalic);
	return { pdf, fonts: { regular, script } };
}

function fieldsOf(envelope: Envelope, item: EnvelopeItem): Field[] {
	return envelope.fields.filter(({ envelopeItemId }) => envelopeItemId === item.id);
}

function markField(page: PDFPage, field: Field, font: PDFFont): void {
	const box = boxOf(page, field);
	page.drawRectangle({ ...box, color: MARKER, opacity: 0.5, borderColor: FRAME, borderWidth: 0.8 });
	const inset = { ...box, x: box.x + 3, width: box.width - 6 };
	drawText(page, fieldName(field), font, inset, { size: 8, align: 'left' });
}

/** A field's position, in points from the page's lower left corner. */
function boxOf(page: PDFPage, field: Field) {
	const crop = page.getCropBox();
	const width = (field.width / 100) * crop.width;
	const height = (field.height / 100) * crop.height;
	const x = crop.x + (field.positionX / 100) * crop.width;
	const y = crop.y + crop.height - (field.positionY / 100) * crop.height - height;
	return { x, y, width, height };
}

function drawField(page: PDFPage, field: Field, fonts: Fonts): void {
	const box = boxOf(page, field);
	if (field.signature !== null) {
		drawText(page, field.signature, fonts.script, box, { size: box.height * 0.7, align: 'center' });
		return;
	}
	const meta = field.fieldMeta;
	const align = meta && 'textAlign' in meta ? (meta.textAlign ?? 'left') : 'left';
	const size = meta?.fontSize ?? 12;
	const texts = shownTexts(field);
	const text = field.type === 'CHECKBOX' ? texts.map((option) => `x ${option}`) : texts;
	drawText(page, text.join('   '), fonts.regular, box, { size, align });
}

/** Draws one line of text, small enough to fit its box. */
function drawText(
	page: PDFPage,
	text: string,
	font: PDFFont,
	box: ReturnType<typeof boxOf>,
	{ size: wanted, align }: { size: number; align: 'left' | 'center' | 'right' },
): void {
	const shown = encodable(text, font);
	const widest = (box.width / Math.max(font.widthOfTextAtSize(shown, 1), 0.01)) * 0.98;
	const size = Math.max(4, Math.min(wanted, widest, box.height));
	const spare = Math.max(0, box.width - font.widthOfTextAtSize(shown, size));
	const offset = { left: 0, center: spare / 2, right: spare }[align];
	const y = box.y + (box.height - size) / 2 + size * 0.25;
	page.drawText(shown, { x: box.x + offset, y, size, font, color: INK });
}

function stamp(page: PDFPage, font: PDFFont): void {
	const { width, height } = page.getSize();
	page.drawText('REJECTED', {
		x: width * 0.2,
		y: height * 0.35,
		size: width * 0.14,
		rotate: degrees(40),
		color: rgb(0.85, 0.1, 0.1),
		opacity: 0.35,
		font,
	});
}
