import crypto from 'node:crypto';

import { carriesSecret, secretText, secretsMatch } from '../../nodes/DocumensoTrigger/secret';

test.each([
	['the same text', 'hunter2', 'hunter2', true],
	['text beyond ASCII', 'pässwörd ✓', 'pässwörd ✓', true],
	['a longer one', 'hunter2', 'hunter22', false],
	['a prefix', 'hunter2', 'hunter', false],
	['another case', 'hunter2', 'Hunter2', false],
	['the empty one', 'hunter2', '', false],
	['anything while no secret is set', '', '', false],
])('%s: %j against %j is %s', (_, expected, received, matches) => {
	expect(secretsMatch(expected, received)).toBe(matches);
});

test('secrets of any length are compared by a function that takes the same time for all', () => {
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	for (const received of ['hunter2', 'h', 'x'.repeat(1000)]) secretsMatch('hunter2', received);
	expect(compare).toHaveBeenCalledTimes(3);
	for (const [one, other] of compare.mock.calls) {
		expect([one.byteLength, other.byteLength]).toEqual([32, 32]);
	}
	compare.mockRestore();
});

test('a secret is recognised whether its header was written as Latin-1 or as UTF-8', () => {
	const utf8 = Buffer.from('sécret ✓', 'utf8').toString('latin1');
	expect(carriesSecret({ 'x-documenso-secret': 'sécret' }, 'sécret', '')).toBe(true);
	expect(carriesSecret({ 'x-documenso-secret': utf8 }, 'sécret ✓', '')).toBe(true);
});

test.each([
	['missing', undefined],
	['there twice', ['hunter2', 'hunter2']],
])('a header that is %s carries no secret', (_, header) => {
	expect(carriesSecret({ 'x-documenso-secret': header }, 'hunter2', '')).toBe(false);
});

test.each(['x-documenso-secret', 'x-service-secret'])('the header %s is known', (header) => {
	expect(carriesSecret({ [header]: 's' }, 's', '')).toBe(true);
});

test("only the credential's own header counts when it names one", () => {
	expect(carriesSecret({ 'x-brand': 's' }, 's', 'X-Brand')).toBe(true);
	expect(carriesSecret({ 'x-documenso-secret': 's' }, 's', 'X-Brand')).toBe(false);
});

test.each([
	[' secret ', 'secret'],
	[' \t\n', ''],
	[12345, '12345'],
	[{ a: 1 }, ''],
	[undefined, ''],
])('the secret %j of a credential is compared as %j', (value, text) => {
	expect(secretText(value)).toBe(text);
});
