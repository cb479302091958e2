import { degrees, PDFDocument, rgb, StandardFonts, type PDFPage } from '@cantoo/pdf-lib';
import type { Envelope, EnvelopeItem, Field, Recipient } from '../entities';
import { fieldName, shownTexts } from '../signing/fieldValues';
import { isDrawn } from '../signing/values';
import { addCertificate } from './certificate';
import { loadPdf } from './documentFile';
import { addMissingSize, drawIn, sealedFrame, shownFrame, type Frame } from './pageFrame';
import { drawPicture } from './picture';
import { Typesetter, type Face } from './typesetter';

const INK = rgb(0.07, 0.1, 0.25);
const MARKER = rgb(1, 0.95, 0.68);
const FRAME = rgb(0.85, 0.68, 0.2);

/** An item with all values filled in so far, and a certificate page if the document is finished. */
export async function drawSignedPdf(
	envelope: Envelope,
	item: EnvelopeItem,
	certificate: 'none' | 'completed' | 'rejected',
	now: Date,
): Promise<Uint8Array> {
	const pdf = await openItem(item);
	const typesetter = new Typesetter(pdf);
	if (certificate === 'rejected') await stamp(pdf);
	if (certificate !== 'none') await addCertificate(pdf, typesetter, envelope, now);
	for (const field of fieldsOf(envelope, item)) {
		if (certificate === 'none' && !field.inserted) continue;
		// The certificate's pages count: a field after the file's last page lands on them, and a
		// field after those prevents sealing forever.
		const page = pdf.getPages()[field.page - 1];
		if (!page) throw new Error(`Page ${field.page} does not exist`);
		if (!field.inserted) continue;
		const frame = sealedFrame(page);
		await drawIn(page, frame, async () => await drawField(page, frame, field, typesetter));
	}
	return await pdf.save();
}

/** What a recipient sees before signing: everybody's values, and the places of their own fields. */
export async function drawPreview(
	envelope: Envelope,
	item: EnvelopeItem,
	recipient: Recipient,
): Promise<Uint8Array> {
	const pdf = await openItem(item);
	const typesetter = new Typesetter(pdf);
	for (const field of fieldsOf(envelope, item)) {
		const page = pdf.getPages()[field.page - 1];
		if (!page) continue;
		const isOwn = field.recipientId === recipient.id;
		if (!field.inserted && !isOwn) continue;
		const frame = shownFrame(page);
		const draw = field.inserted ? drawField : markField;
		await drawIn(page, frame, async () => await draw(page, frame, field, typesetter));
	}
	return await pdf.save();
}

async function openItem(item: EnvelopeItem): Promise<PDFDocument> {
	const bytes = await item.original.read();
	const whole = await loadPdf(bytes);
	if (whole) {
		for (const page of whole.getPages()) addMissingSize(page);
		return whole;
	}
	// As recorded, a file truncated before its catalog, or whose pages have no types, can be sent but
	// never sealed. Truncated after it, its pages are missing, and only the added pages remain.
	const text = bytes.toString('latin1');
	if (!/\/Type \/Catalog[^>]*>>/.test(text) || !text.includes('/Type /Pages')) {
		throw new Error('Document has no pages');
	}
	return await PDFDocument.create();
}

interface Shown extends Field {
	texts: string[];
}

function fieldsOf({ fields, internalVersion }: Envelope, item: EnvelopeItem): Shown[] {
	return fields
		.filter(({ envelopeItemId }) => envelopeItemId === item.id)
		.map((field) => ({ ...field, texts: shownTexts(field, internalVersion) }));
}

type Draw = (page: PDFPage, frame: Frame, field: Shown, typesetter: Typesetter) => Promise<void>;

const markField: Draw = async (page, frame, field, typesetter) => {
	const box = boxOf(frame, field);
	page.drawRectangle({ ...box, color: MARKER, opacity: 0.5, borderColor: FRAME, borderWidth: 0.8 });
	const inset = { ...box, x: box.x + 3, width: box.width - 6 };
	const style = { face: 'regular', size: 8, align: 'left' } as const;
	await drawText(page, typesetter, fieldName(field), inset, style);
};

/** A field's position, in points from the frame's lower left corner. */
function boxOf(frame: Frame, field: Field) {
	const width = (field.width / 100) * frame.width;
	const height = (field.height / 100) * frame.height;
	const x = (field.positionX / 100) * frame.width;
	const y = frame.height - (field.positionY / 100) * frame.height - height;
	return { x, y, width, height };
}

const drawField: Draw = async (page, frame, field, typesetter) => {
	const box = boxOf(frame, field);
	if (field.signature !== null && isDrawn(field.signature)) {
		await drawPicture(page, field.signature, box);
		return;
	}
	if (field.signature !== null) {
		const style = { face: 'script', size: box.height * 0.7, align: 'center' } as const;
		await drawText(page, typesetter, field.signature, box, style);
		return;
	}
	const meta = field.fieldMeta;
	const align = meta && 'textAlign' in meta ? (meta.textAlign ?? 'left') : 'left';
	const style = { face: 'regular', size: meta?.fontSize ?? 12, align } as const;
	const { texts } = field;
	const text = field.type === 'CHECKBOX' ? texts.map((option) => `x ${option}`) : texts;
	await drawText(page, typesetter, text.join('   '), box, style);
};

interface Style {
	face: Face;
	size: number;
	align: 'left' | 'center' | 'right';
}

/** Draws one line of text, small enough to fit its box. */
async function drawText(
	page: PDFPage,
	typesetter: Typesetter,
	text: string,
	box: ReturnType<typeof boxOf>,
	{ face, size: wanted, align }: Style,
): Promise<void> {
	const room = { width: box.width, size: Math.min(wanted, box.height), smallest: 4 };
	const { line, size } = await typesetter.fitted(text, face, room);
	const spare = Math.max(0, box.width - line.widthAt(size));
	const offset = { left: 0, center: spare / 2, right: spare }[align];
	const y = box.y + (box.height - size) / 2 + size * 0.25;
	line.draw(page, { x: box.x + offset, y, size, color: INK });
}

/** Writes REJECTED across every page. */
async function stamp(pdf: PDFDocument): Promise<void> {
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	for (const page of pdf.getPages()) {
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
}
