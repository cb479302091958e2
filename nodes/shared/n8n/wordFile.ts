export const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** ZIP: each file in it, the directory of them at the end, and the end itself, have a signature. */
const FILE = 'PK\x03\x04';
const ENTRY = 'PK\x01\x02';
const END = 'PK\x05\x06';

/** Bytes of an entry before its name. */
const ENTRY_BYTES = 46;

/** The directory of a Word file has about a hundred bytes for each picture. */
const DIRECTORY_MAX_BYTES = 1024 * 1024;

/** Word itself sometimes calls the text `document2.xml`. */
const TEXT = /^word\/document\d*\.xml$/;

/**
 * Whether a file is a Word file (.docx): a ZIP with the parts of one. Programs write these parts in different orders, so
 * that only the directory at the end tells; of a ZIP, the whole stream is read, and its end kept.
 */
export async function isWordFile(file: AsyncIterable<Uint8Array>): Promise<boolean> {
	let start = '';
	let end = '';
	for await (const chunk of file) {
		if (start.length < FILE.length) start += text(chunk.subarray(0, FILE.length));
		if (start.length >= FILE.length && !start.startsWith(FILE)) return false;
		end += text(chunk.subarray(-DIRECTORY_MAX_BYTES));
		if (end.length > 2 * DIRECTORY_MAX_BYTES) end = end.slice(-DIRECTORY_MAX_BYTES);
	}
	const names = namesIn(end);
	return names.includes('[Content_Types].xml') && names.some((name) => TEXT.test(name));
}

/** A character for each byte. */
function text(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** The names in a ZIP's directory. */
function namesIn(zip: string): string[] {
	const bytes = Buffer.from(zip, 'latin1');
	const end = zip.lastIndexOf(END);
	const names: string[] = [];
	if (end < 0 || bytes.length < end + 16) return names;
	let at = end - bytes.readUInt32LE(end + 12);
	while (at >= 0 && at + ENTRY_BYTES <= end && zip.startsWith(ENTRY, at)) {
		const nameEnd = at + ENTRY_BYTES + bytes.readUInt16LE(at + 28);
		names.push(zip.slice(at + ENTRY_BYTES, nameEnd));
		const [extraBytes, commentBytes] = [bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32)];
		at = nameEnd + extraBytes + commentBytes;
	}
	return names;
}
