import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The PDF that n8n filed for a document. It is signed if it has pages that the original lacks (the
 * certificate), and these name every signer.
 */
export async function findFiledPdf({ emulator, signedDir }, document) {
	const [{ id }] = document.items;
	const endings = [document.externalId, document.id.slice(-8)].map((end) => `(${end}).pdf`);
	const name = (await readdir(signedDir)).find((candidate) =>
		endings.some((ending) => candidate.endsWith(ending)),
	);
	if (name === undefined) return undefined;
	const file = await readFile(join(signedDir, name));
	const original = await emulator.originalFile(id);
	return { name, signed: await isSigned(file, original, document) };
}

async function isSigned(file, original, { recipients }) {
	if (file.subarray(0, 5).toString('latin1') !== '%PDF-') return false;
	// n8n may still be writing the file.
	const pages = await textOfPages(file).catch(() => []);
	const added = pages.slice((await textOfPages(original)).length).join(' ');
	const signers = recipients.filter(({ role }) => role === 'SIGNER');
	return added !== '' && signers.every(({ email }) => added.includes(email));
}

async function textOfPages(file) {
	// Imported here, because on a fresh clone nothing is installed when this file loads.
	const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
	const pdf = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
	const pages = [];
	for (let number = 1; number <= pdf.numPages; number++) {
		const { items } = await (await pdf.getPage(number)).getTextContent();
		pages.push(items.map(({ str }) => str).join(''));
	}
	await pdf.destroy();
	return pages;
}
