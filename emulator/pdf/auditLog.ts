import { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib';
import type { AuditEntry, Envelope } from '../entities';
import { encodable } from './text';

const A4: [number, number] = [595, 842];
const MARGIN = 56;
const ENTRY_HEIGHT = 34;

const INK = rgb(0.1, 0.12, 0.2);
const GREY = rgb(0.42, 0.45, 0.52);

/** Everything that happened to an envelope, oldest first. */
export async function drawAuditLog(envelope: Envelope): Promise<Uint8Array> {
	const pdf = await PDFDocument.create();
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	let page = pdf.addPage(A4);
	let y = A4[1] - MARGIN;
	const write = (text: string, size: number, color = INK): void => {
		page.drawText(encodable(text, font), { x: MARGIN, y, size, font, color });
	};
	write('Audit log', 22);
	y -= 24;
	write(`${envelope.title} · ${envelope.id}`, 10, GREY);
	y -= 30;
	for (const entry of envelope.auditLog) {
		if (y < MARGIN + ENTRY_HEIGHT) {
			page = pdf.addPage(A4);
			y = A4[1] - MARGIN;
		}
		write(`${entry.type}  ${actorOf(entry)}`, 10);
		y -= 13;
		write(entry.createdAt.toISOString(), 8, GREY);
		y -= ENTRY_HEIGHT - 13;
	}
	return await pdf.save();
}

function actorOf({ name, email }: AuditEntry): string {
	return [name, email && `(${email})`].filter(Boolean).join(' ');
}
