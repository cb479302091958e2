import { PDFDocument, rgb, StandardFonts, type PDFFont, type PDFPage } from '@cantoo/pdf-lib';
import type { Envelope, Recipient } from '../entities';
import { encodable } from './text';

const A4: [number, number] = [595, 842];
const MARGIN = 56;
const ROW_HEIGHT = 92;

const INK = rgb(0.1, 0.12, 0.2);
const GREY = rgb(0.42, 0.45, 0.52);
const LINE = rgb(0.85, 0.87, 0.91);
const GREEN = rgb(0.36, 0.6, 0.16);
const RED = rgb(0.78, 0.16, 0.16);

interface Sheet {
	pdf: PDFDocument;
	page: PDFPage;
	y: number;
	regular: PDFFont;
	bold: PDFFont;
	script: PDFFont;
}

/** The certificate alone, as its endpoint returns it. */
export async function drawCertificate(envelope: Envelope): Promise<Uint8Array> {
	const pdf = await PDFDocument.create();
	await addCertificate(pdf, envelope, envelope.completedAt ?? envelope.updatedAt);
	return await pdf.save();
}

/** The last page of a finished document: who signed, when, and the envelope ID. */
export async function addCertificate(
	pdf: PDFDocument,
	envelope: Envelope,
	now: Date,
): Promise<void> {
	const sheet: Sheet = {
		pdf,
		page: pdf.addPage(A4),
		y: A4[1] - MARGIN,
		regular: await pdf.embedFont(StandardFonts.Helvetica),
		bold: await pdf.embedFont(StandardFonts.HelveticaBold),
		script: await pdf.embedFont(StandardFonts.TimesRomanItalic),
	};
	drawHead(sheet, envelope, now);
	for (const recipient of envelope.recipients.filter(({ role }) => role !== 'CC')) {
		if (sheet.y < MARGIN + ROW_HEIGHT) {
			sheet.page = pdf.addPage(A4);
			sheet.y = A4[1] - MARGIN;
		}
		drawRecipient(sheet, envelope, recipient);
	}
}

function drawHead(sheet: Sheet, envelope: Envelope, now: Date): void {
	write(sheet, 'Signing certificate', { size: 22, font: sheet.bold, down: 30 });
	write(sheet, envelope.title, { size: 12, down: 18 });
	write(sheet, `Envelope ${envelope.id}`, { size: 9, color: GREY, down: 14 });
	const sealed = `Sealed ${now.toISOString()} by the local Documenso emulator. Not legally binding.`;
	write(sheet, sealed, { size: 9, color: GREY, down: 26 });
}

function drawRecipient(sheet: Sheet, envelope: Envelope, recipient: Recipient): void {
	const { page } = sheet;
	const top = sheet.y;
	const end = A4[0] - MARGIN;
	page.drawLine({ start: { x: MARGIN, y: top }, end: { x: end, y: top }, color: LINE });
	sheet.y -= 24;
	write(sheet, recipient.name || recipient.email, { size: 12, font: sheet.bold, down: 16 });
	write(sheet, `${recipient.email || 'no e-mail'} · ${recipient.role}`, {
		size: 9,
		color: GREY,
		down: 14,
	});
	write(sheet, ...outcomeOf(recipient));
	if (recipient.rejectionReason) {
		write(sheet, `Reason: ${recipient.rejectionReason}`, { size: 9, color: GREY, down: 14 });
	}
	drawSignature(sheet, envelope, recipient, top);
	sheet.y = top - ROW_HEIGHT;
}

function outcomeOf({ signingStatus, signedAt }: Recipient): [string, WriteOptions] {
	const when = signedAt?.toISOString() ?? '';
	if (signingStatus === 'SIGNED') return [`Completed ${when}`, { size: 9, color: GREEN, down: 14 }];
	if (signingStatus === 'REJECTED') return [`Rejected ${when}`, { size: 9, color: RED, down: 14 }];
	return ['Did not act', { size: 9, color: GREY, down: 14 }];
}

function drawSignature(sheet: Sheet, envelope: Envelope, recipient: Recipient, top: number): void {
	const field = envelope.fields.find(
		({ recipientId, signature }) => recipientId === recipient.id && signature !== null,
	);
	if (!field?.signature) return;
	const text = encodable(field.signature, sheet.script);
	const size = Math.min(24, (190 / sheet.script.widthOfTextAtSize(text, 1)) * 0.95);
	const x = A4[0] - MARGIN - 200;
	sheet.page.drawRectangle({
		x,
		y: top - ROW_HEIGHT + 18,
		width: 200,
		height: ROW_HEIGHT - 32,
		borderColor: LINE,
		borderWidth: 1,
	});
	sheet.page.drawText(text, { x: x + 10, y: top - 52, size, font: sheet.script, color: INK });
}

function write(
	sheet: Sheet,
	text: string,
	{ size, font = sheet.regular, color = INK, down }: WriteOptions,
): void {
	const y = sheet.y;
	sheet.page.drawText(encodable(text, font), { x: MARGIN, y, size, font, color });
	sheet.y -= down;
}

interface WriteOptions {
	size: number;
	font?: PDFFont;
	color?: ReturnType<typeof rgb>;
	/** The distance to the next line. */
	down: number;
}
