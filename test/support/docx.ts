import { strToU8, zipSync, type Zippable } from 'fflate';

const CONTENT_TYPES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>`;

const RELATIONSHIPS = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>`;

const textOf = (text: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;

/** A Word file with one paragraph, and other parts around its text. */
export function docx(text = 'A contract', others: Record<string, Uint8Array> = {}): Buffer {
	const parts: Zippable = {
		'word/document.xml': strToU8(textOf(text)),
		...others,
		'_rels/.rels': strToU8(RELATIONSHIPS),
		'[Content_Types].xml': strToU8(CONTENT_TYPES),
	};
	return Buffer.from(zipSync(parts, { level: 0 }));
}

/** A ZIP of files that are empty. */
export function zip(...names: string[]): Buffer {
	return Buffer.from(zipSync(Object.fromEntries(names.map((name) => [name, new Uint8Array()]))));
}
