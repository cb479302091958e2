import {
	MASKED_ADDRESS,
	withMaskedAddresses,
	withoutSecrets,
} from '../../nodes/shared/n8n/masking';

const addresses = [
	['plain', 'tina@example.com', 't…@example.com'],
	['in a sentence', 'Ask (tina.o-neill+x@example.com).', 'Ask (t…@example.com).'],
	[
		'in a list',
		'a1@x.example;b2@y.example, Jörg <jörg@z.example>',
		'a…@x.example;b…@y.example, Jörg <j…@z.example>',
	],
	[
		'in a URL',
		'https://x.example/?to=tina%2Bx%40example.com&b=1',
		'https://x.example/?t…%40example.com&b=1',
	],
	['in a URL in a URL', '/?next=%3Fto%3Dtina%2540example.com', '/?n…%2540example.com'],
	['in HTML', '<b>tina&#64;example.com</b>', '<b>t…&#64;example.com</b>'],
	['in HTML, with hexadecimal digits', 'tina&#x40;example.com', 't…&#x40;example.com'],
	['in HTML, with a name', 'tina&commat;example.com', 't…&commat;example.com'],
	['in HTML, with an encoded plus', 'tina&#43;x&#64;example.com', 't…&#64;example.com'],
	['in JSON', String.raw`"tina\u0040example.com"`, String.raw`"t…\u0040example.com"`],
	['with a full-width @', 'tina＠example.com', 't…＠example.com'],
	['behind an emoji', '😀tina@example.com', '😀t…@example.com'],
	['of another script', 'тина@пример.example', 'т…@пример.example'],
];

test.each(addresses)('a model sees one letter of an address %s', (_, text, masked) => {
	expect(withMaskedAddresses(text)).toBe(masked);
	expect(masked).toMatch(MASKED_ADDRESS);
});

test.each(['5 @ 3', '@tina', 'https://example.com/@tina', 'no address', '', '%40', '(@)'])(
	'%j holds no address and stays',
	(text) => {
		expect(withMaskedAddresses(text)).toBe(text);
	},
);

test.each(['t...@example.com', 'Ask t...@example.com.', 't⋯@example.com', 't… @example.com'])(
	'%j is a masked address as models write it',
	(text) => {
		expect(text).toMatch(MASKED_ADDRESS);
	},
);

test.each(['Meet us...@ the office', 'wait...', 'tina.b@example.com'])('%j is none', (text) => {
	expect(text).not.toMatch(MASKED_ADDRESS);
});

const secrets = [
	['a signing link', 'https://d.example/sign/kT3_abcdefghijkl', 'https://d.example/sign/…'],
	[
		'one below a path',
		'https://d.example/app/sign/kT3_abcdefghijkl?x=1',
		'https://d.example/app/sign/…?x=1',
	],
	[
		'one in a URL',
		'?next=https%3A%2F%2Fd.example%2Fsign%2FkT3_abcdefghijkl',
		'?next=https%3A%2F%2Fd.example%2Fsign%2F…',
	],
	['one in HTML', 'd.example&#x2F;sign&#47;kT3_abcdefghijkl', 'd.example&#x2F;sign&#47;…'],
	[
		'one in JSON',
		String.raw`"https:\/\/d.example\/sign\/kT3_abcdefghijkl"`,
		String.raw`"https:\/\/d.example\/sign\/…"`,
	],
	[
		'an embedded one',
		'https://d.example/embed/sign/kT3_abcdefghijkl',
		'https://d.example/embed/sign/…',
	],
	['a direct link', 'https://d.example/d/kT3_abcdefghijkl', 'https://d.example/d/…'],
	[
		'an embedded direct link',
		'https://d.example/embed/direct/kT3_abcdefghijkl',
		'https://d.example/embed/direct/…',
	],
	['a token', 'https://d.example/x?token=kT3_abcdefghijkl', 'https://d.example/x?token=…'],
	['a token in HTML', '?a=1&amp;presignToken=kT3_abcdefghijkl', '?a=1&amp;presignToken=…'],
	['a token in a URL', '%3Ftoken%3DkT3_abcdefghijkl', '%3Ftoken%3D…'],
];

test.each(secrets)('a model does not see %s', (_, text, masked) => {
	expect(withoutSecrets(text)).toBe(masked);
});

test.each([
	'https://docs.google.com/document/d/1aB2cD3eF4gH5iJ6/edit',
	'https://drive.google.com/file/d/1aB2cD3eF4gH5iJ6/view',
	'/signatures/of-everyone',
	'a token: kT3_abcdefghijkl',
])('%s stays', (text) => {
	expect(withoutSecrets(text)).toBe(text);
});
