import { maskOf } from '../../nodes/shared/api/mask';

const html = (text: string) =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll("'", '&#39;');
const twice = (encode: (text: string) => string) => (text: string) => encode(encode(text));
const units = (text: string) => Array.from(text, (one) => one.split('')).flat();
const base64 = (before: string, encoding: BufferEncoding) => (text: string) =>
	Buffer.from(`${before}${text} and more`).toString(encoding);

const encodings: Record<string, (text: string) => string> = {
	'as it is': (text) => text,
	'in JSON': JSON.stringify,
	'in JSON that is in JSON': twice(JSON.stringify),
	'in JSON, each letter as a number': (text) =>
		units(text)
			.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
	'in HTML': html,
	'in HTML that is shown as HTML': twice(html),
	'in HTML, each letter as a number': (text) =>
		Array.from(text, (one) => `&#x${(one.codePointAt(0) ?? 0).toString(16)};`).join(''),
	'in JSON that is in HTML': (text) => html(JSON.stringify(text)),
	'in a URL': encodeURIComponent,
	'in a URL that is in a URL': twice(encodeURIComponent),
	'in JSON that is in a URL': (text) => encodeURIComponent(JSON.stringify(text)),
	'in Base64': base64('', 'base64'),
	'in Base64, behind a letter': base64('a', 'base64'),
	'in Base64, behind two letters': base64('ab', 'base64'),
	'in Base64, behind a word': base64('Bearer ', 'base64url'),
	'in Base64 that is in a URL': (text) => encodeURIComponent(base64('', 'base64')(text)),
};
const tokens = ['api_liveannaone00001', 'api_"q\\u<é>&/+ \'x😀==', '~~~???>>>api_ÿÿÿ'];
const cases = Object.keys(encodings).flatMap((name) =>
	tokens.map((token) => [name, token] as const),
);

/** What somebody could still decode of a token that was masked. */
test.each(cases)('a token is masked %s: %s', (name, token) => {
	const encoded = encodings[name]?.(token) ?? '';
	const masked = maskOf(`Bearer ${token}`)(`You sent ${encoded}, twice: ${encoded}`);
	expect(masked).toMatch(/^You sent .{0,20}\*\*\*.{0,20}, twice: .{0,20}\*\*\*.{0,20}$/s);
});

test('what is too short for a token of Documenso is not masked, because words contain it', () => {
	expect(maskOf('e')('The envelope is too large')).toBe('The envelope is too large');
	expect(maskOf('envelop')('The envelope is too large')).toBe('The envelope is too large');
	expect(maskOf('')('The envelope is too large')).toBe('The envelope is too large');
});

test('other text stays as it is', () => {
	const text = 'api_liveannaone00002 \\u0061 %61 &amp; YXBpX2xpdmU=';
	expect(maskOf('api_liveannaone00001')(text)).toBe(text);
});
