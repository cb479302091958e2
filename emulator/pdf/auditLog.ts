import { PDFDocument, rgb } from '@cantoo/pdf-lib';
import type { AuditEntry, Envelope } from '../entities';
import { Typesetter } from './typesetter';

const A4: [number, number] = [595, 842];
const MARGIN = 56;
const ENTRY_HEIGHT = 34;

const INK = rgb(0.1, 0.12, 0.2);
const GREY = rgb(0.42, 0.45, 0.52);

/** Everything that happened to an envelope, oldest first. */
export async function drawAuditLog(envelope: Envelope): Promise<Uint8Array> {
	const pdf = await PDFDocument.create();
	const typesetter = new Typesetter(pdf);
	let page = pdf.addPage(A4);
	let y = A4[1] - MARGIN;
	const write = async (text: string, wanted: number, color = INK): Promise<void> => {
		const room = { width: A4[0] - 2 * MARGIN, size: wanted, smallest: 7 };
		const { line, size } = await typesetter.fitted(text, 'regular', room);
		line.draw(page, { x: MARGIN, y, size, color });
	};
	await write('Audit log', 22);
	y -= 24;
	await write(`${envelope.title} · ${envelope.id}`, 10, GREY);
	y -= 30;
	for (const entry of envelope.auditLog) {
		if (y < MARGIN + ENTRY_HEIGHT) {
			page = pdf.addPage(A4);
			y = A4[1] - MARGIN;
		}
		await write(`${entry.type}  ${actorOf(entry)}`, 10);
		y -= 13;
		await write(entry.createdAt.toISOString(), 8, GREY);
		y -= ENTRY_HEIGHT - 13;
	}
	return await pdf.save();
}

function actorOf({ name, email }: AuditEntry): string {
	return [name, email && `(${email})`].filter(Boolean).join(' ');
}
