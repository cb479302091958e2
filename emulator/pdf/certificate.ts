import { PDFDocument, rgb, type Color, type PDFPage } from '@cantoo/pdf-lib';
import type { Envelope, Recipient } from '../entities';
import { isDrawn } from '../signing/values';
import { drawPicture } from './picture';
import { Typesetter, type Face } from './typesetter';

const A4: [number, number] = [595, 842];
const MARGIN = 56;
const ROW_HEIGHT = 92;
const SIGNATURE_WIDTH = 190;
/** What is left of a row for the text beside the signature. */
const TEXT_WIDTH = A4[0] - 2 * MARGIN - SIGNATURE_WIDTH - 20;

const INK = rgb(0.1, 0.12, 0.2);
const GREY = rgb(0.42, 0.45, 0.52);
const LINE = rgb(0.85, 0.87, 0.91);
const GREEN = rgb(0.36, 0.6, 0.16);
const RED = rgb(0.78, 0.16, 0.16);

interface Sheet {
	pdf: PDFDocument;
	page: PDFPage;
	y: number;
	typesetter: Typesetter;
}

/** The certificate alone, as its endpoint returns it. */
export async function drawCertificate(envelope: Envelope): Promise<Uint8Array> {
	const pdf = await PDFDocument.create();
	const now = envelope.completedAt ?? envelope.updatedAt;
	await addCertificate(pdf, new Typesetter(pdf), envelope, now);
	return await pdf.save();
}

/** The last page of a finished document: who signed, when, and the envelope ID. */
export async function addCertificate(
	pdf: PDFDocument,
	typesetter: Typesetter,
	envelope: Envelope,
	now: Date,
): Promise<void> {
	const sheet: Sheet = { pdf, page: pdf.addPage(A4), y: A4[1] - MARGIN, typesetter };
	await drawHead(sheet, envelope, now);
	for (const recipient of envelope.recipients.filter(({ role }) => role !== 'CC')) {
		if (sheet.y < MARGIN + ROW_HEIGHT) {
			sheet.page = pdf.addPage(A4);
			sheet.y = A4[1] - MARGIN;
		}
		await drawRecipient(sheet, envelope, recipient);
	}
}

async function drawHead(sheet: Sheet, envelope: Envelope, now: Date): Promise<void> {
	await write(sheet, 'Signing certificate', { size: 22, face: 'bold', down: 30 });
	await write(sheet, envelope.title, { size: 12, down: 18 });
	await write(sheet, `Envelope ${envelope.id}`, { size: 9, color: GREY, down: 14 });
	const sealed = `Sealed ${now.toISOString()} by the local Documenso. Not legally binding.`;
	await write(sheet, sealed, { size: 9, color: GREY, down: 26 });
}

async function drawRecipient(
	sheet: Sheet,
	envelope: Envelope,
	recipient: Recipient,
): Promise<void> {
	const { page } = sheet;
	const top = sheet.y;
	const end = A4[0] - MARGIN;
	page.drawLine({ start: { x: MARGIN, y: top }, end: { x: end, y: top }, color: LINE });
	sheet.y -= 24;
	const beside = { width: TEXT_WIDTH, size: 9, down: 14 };
	const name = recipient.name || recipient.email;
	await write(sheet, name, { ...beside, size: 12, face: 'bold', down: 16 });
	const contact = `${recipient.email || 'no email'} · ${recipient.role}`;
	await write(sheet, contact, { ...beside, color: GREY });
	const [outcome, color] = outcomeOf(recipient);
	await write(sheet, outcome, { ...beside, color });
	if (recipient.rejectionReason) {
		await write(sheet, `Reason: ${recipient.rejectionReason}`, { ...beside, color: GREY });
	}
	await drawSignature(sheet, envelope, recipient, top);
	sheet.y = top - ROW_HEIGHT;
}

function outcomeOf({ signingStatus, signedAt }: Recipient): [string, Color] {
	const when = signedAt?.toISOString() ?? '';
	if (signingStatus === 'SIGNED') return [`Completed ${when}`, GREEN];
	if (signingStatus === 'REJECTED') return [`Rejected ${when}`, RED];
	return ['Did not act', GREY];
}

async function drawSignature(
	sheet: Sheet,
	envelope: Envelope,
	recipient: Recipient,
	top: number,
): Promise<void> {
	const field = envelope.fields.find(
		({ recipientId, signature }) => recipientId === recipient.id && signature !== null,
	);
	if (!field?.signature) return;
	const x = A4[0] - MARGIN - SIGNATURE_WIDTH;
	if (isDrawn(field.signature)) {
		const box = { x, y: top - 46, width: SIGNATURE_WIDTH, height: 24 };
		await drawPicture(sheet.page, field.signature, box);
		return;
	}
	const room = { width: SIGNATURE_WIDTH, size: 24, smallest: 8 };
	const { line, size } = await sheet.typesetter.fitted(field.signature, 'script', room);
	line.draw(sheet.page, { x, y: top - 46, size, color: INK });
}

async function write(
	sheet: Sheet,
	text: string,
	{ size: wanted, face = 'regular', color = INK, width = A4[0] - 2 * MARGIN, down }: WriteOptions,
): Promise<void> {
	const room = { width, size: wanted, smallest: 7 };
	const { line, size } = await sheet.typesetter.fitted(text, face, room);
	line.draw(sheet.page, { x: MARGIN, y: sheet.y, size, color });
	sheet.y -= down;
}

interface WriteOptions {
	size: number;
	face?: Face;
	color?: Color;
	/** All of the page but its margins by default. */
	width?: number;
	/** The distance to the next line. */
	down: number;
}
