import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const bytesPerMegabyte = 1e6;

/** A PDF of this size in a folder: a page with a large picture. */
export async function scan(folder, megabytes) {
	const file = join(folder, `${megabytes}-mb.pdf`);
	if (existsSync(file)) return file;
	// Imported here, because on a fresh clone nothing is installed when this file loads.
	const { PDFDocument } = await import('@cantoo/pdf-lib');
	const pdf = await PDFDocument.create();
	pdf.addPage();
	const picture = pdf.context.stream(randomBytes(megabytes * bytesPerMegabyte), {
		Type: 'XObject',
		Subtype: 'Image',
		Width: 1000,
		Height: megabytes * 1000,
		ColorSpace: 'DeviceGray',
		BitsPerComponent: 8,
	});
	pdf.context.register(picture);
	await writeFile(file, await pdf.save());
	return file;
}
