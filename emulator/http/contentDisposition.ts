const LATIN1 = /^[\x20-\x7e\xa0-\xff]*$/;
const LOOKS_ENCODED = /%[\da-f]{2}/i;

/** Latin-1 names are sent as raw bytes, others as question marks plus the encoded name. */
export function contentDisposition(type: 'attachment' | 'inline', path: string): string {
	const filename = path.split(/[/\\]/).at(-1) ?? '';
	const plain = filename.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/["\\]/g, '\\$&');
	const disposition = `${type}; filename="${plain}"`;
	if (LATIN1.test(filename) && !LOOKS_ENCODED.test(filename)) return disposition;
	const encoded = encodeURIComponent(filename).replace(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `${disposition}; filename*=UTF-8''${encoded}`;
}

export function withoutPdf(title: string): string {
	return title.replace(/\.pdf$/i, '');
}
