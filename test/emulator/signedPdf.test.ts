import { startEmulator, type Emulator } from '../../emulator';
import { PdfTextReader, type FoundText } from '../../emulator/pdf/textReader';
import { sendDocument, signer } from './api';

const reader = new PdfTextReader();
let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 0 });
});
afterAll(async () => {
	await service.close();
	await reader.close();
});

/** The lines of the signed PDF: the signature in its field, then the certificate. */
async function signedLines(name: string): Promise<FoundText[]> {
	const { id, tokens } = await sendDocument(service, { recipients: [{ ...signer, name }] });
	await service.sign(String(tokens[0]));
	await service.settled();
	const signed = service.store.envelopes.get(id)?.items[0]?.signed;
	return await reader.search(Buffer.from((await signed?.read()) ?? []), /.+/g);
}

function textOf(lines: readonly FoundText[]): string {
	return lines.map(({ text }) => text).join('\n');
}

/** Shaped text is extracted in the order of its glyphs, which is not always that of its characters. */
function charactersOf(text: string): Set<string> {
	return new Set(text.normalize('NFC').replace(/\s/g, ''));
}

test.each([
	['Western European', 'Zoë Brontë-Müller'],
	['Polish', 'Łukasz Żółć'],
	['Vietnamese', 'Nguyễn Văn Ánh'],
	['Cyrillic', 'Жанна Їжак'],
	['Greek', 'Ελένη Παπαδοπούλου'],
	['Arabic', 'محمد بن عبد الله'],
	['Hebrew', 'שרה כהן'],
	['Chinese', '王小明 張偉'],
	['Japanese', '田中 さくら'],
	['Korean', '김민준'],
	['Thai', 'สมชาย ใจดี'],
	['Devanagari', 'प्रिया शर्मा'],
])('a signed PDF shows %s names', async (_script, name) => {
	const text = textOf(await signedLines(name));
	const shown = charactersOf(text);
	expect([...charactersOf(name)].filter((character) => !shown.has(character))).toEqual([]);
	expect(text).not.toContain('?');
});

test('a character that no font has becomes one question mark', async () => {
	const text = textOf(await signedLines('👩‍👩‍👧 Smith'));
	expect(text).toContain('? Smith');
	expect(text).not.toContain('??');
});

test('right-to-left names read from the right, with brackets that open to the left', async () => {
	expect(textOf(await signedLines('שרה (כהן) 12'))).toContain('12 (ןהכ) הרש');
});

test.each([
	['Latin', 'Maximilian Alexander von und zu Hohenlohe-Waldenburg '.repeat(4)],
	['Chinese', '王小明'.repeat(60)],
])('long %s names stay within their field and the page', async (_script, name) => {
	const lines = await signedLines(name);
	const shown = lines.filter(({ text }) => text.startsWith(name.slice(0, 5)));
	// The signature in its field, and on the certificate the name and the signature beside it.
	const edges = shown.map(({ right }) => right);
	expect(edges).toHaveLength(3);
	for (const [index, limit] of [0.4 * 595, 329, 539].entries()) {
		expect(edges[index]).toBeLessThan(limit + 0.5);
	}
	expect(textOf(shown)).toContain('…');
});
