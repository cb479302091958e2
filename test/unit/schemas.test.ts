import { failureSchema } from '../../nodes/Documenso/schemas/failure';
import { filtersSchema } from '../../nodes/Documenso/schemas/filters';
import { fieldRow, recipientRow, recipientSchema } from '../../nodes/Documenso/schemas/recipients';
import { settingsSchema } from '../../nodes/Documenso/schemas/settings';
import { email, trueOrFalse, decimal, page } from '../../nodes/Documenso/engine/values';

const place = { page: 1, positionX: 10, positionY: 20, width: 30, height: 5 };

function fault(
	schema: { safeParse(value: unknown): { error?: { issues: Array<{ message: string }> } } },
	value: unknown,
) {
	return schema.safeParse(value).error?.issues[0]?.message;
}

describe('an email', () => {
	test('is trimmed', () => {
		expect(email.parse(' a@example.com ')).toBe('a@example.com');
	});

	test.each([
		['a', '"a" is not an email address'],
		['a b@example.com', '"a b@example.com" is not an email address'],
		[`${'a'.repeat(250)}@example.com`, expect.stringContaining('is not an email address')],
		['  ', 'is missing'],
		[undefined, 'is missing'],
		[7, 'is not text'],
	])('%j is refused', (value, message) => {
		expect(fault(email, value)).toEqual(message);
	});
});

test('numbers may come as text', () => {
	expect(decimal.parse('12.5')).toBe(12.5);
	expect(fault(decimal, 'twelve')).toBe('is not a number');
	expect(fault(page, '1.5')).toBe('is not a whole number');
});

test('the text "false" is not taken for true', () => {
	expect(trueOrFalse.parse('false')).toBe(false);
	expect(trueOrFalse.parse('true')).toBe(true);
	expect(fault(trueOrFalse, 'yes')).toBe('is neither true nor false');
});

describe('a row of recipients', () => {
	test('is a signer without a name and order unless told', () => {
		expect(recipientRow.parse({ email: 'a@example.com', signingOrder: 0 })).toEqual({
			email: 'a@example.com',
			name: '',
			role: 'SIGNER',
		});
	});

	test('takes a role that is new or in another case', () => {
		expect(recipientRow.parse({ email: 'a@example.com', role: 'witness' }).role).toBe('WITNESS');
	});
});

test('JSON of recipients with a key that nobody knows is refused', () => {
	expect(fault(recipientSchema, { email: 'a@example.com', order: 1 })).toContain("'order'");
});

describe('a row of fields', () => {
	const row = { ...place, recipient: 'r1' };
	const fieldOf = (type: string, options: object) =>
		fieldRow.parse({ ...row, type, options }).field;
	const metaOf = (type: string, options: object) => fieldOf(type, options).fieldMeta;

	test('numbers its choices for checkboxes and radios', () => {
		const values = [
			{ id: 1, checked: false, value: 'Yes' },
			{ id: 2, checked: false, value: 'No' },
		];
		expect(metaOf('RADIO', { choices: 'Yes, No,' })).toEqual({
			type: 'radio',
			required: true,
			values,
		});
		expect(metaOf('CHECKBOX', { choices: 'Yes,No' })).toMatchObject({ values });
	});

	test('only names its choices for a dropdown', () => {
		expect(metaOf('DROPDOWN', { choices: 'Yes' })).toMatchObject({
			values: [{ value: 'Yes' }],
		});
	});

	test('a free signature takes no settings', () => {
		expect(metaOf('FREE_SIGNATURE', { label: 'Here' })).toBeUndefined();
	});

	test('means a file by its position or by its name', () => {
		expect(fieldOf('NAME', { identifier: '1' })).toMatchObject({ identifier: 1 });
		expect(fieldOf('NAME', { identifier: 'a.pdf' })).toMatchObject({ identifier: 'a.pdf' });
		expect(fieldOf('NAME', { identifier: '' })).not.toHaveProperty('identifier');
		expect(fieldOf('NAME', {})).not.toHaveProperty('identifier');
	});
});

describe('settings', () => {
	test('part into what the document is and how it is sent', () => {
		const settings = settingsSchema.parse({
			title: 'Lease',
			visibility: 'ADMIN',
			subject: 'Sign',
			signatureTypes: ['typedSignatureEnabled'],
		});
		expect(settings).toEqual({
			data: { title: 'Lease', visibility: 'ADMIN' },
			content: {},
			emails: {},
			meta: {
				subject: 'Sign',
				drawSignatureEnabled: false,
				typedSignatureEnabled: true,
				uploadSignatureEnabled: false,
			},
		});
	});

	test.each([
		[{ title: 'x'.repeat(256) }, 'is longer than 255 characters'],
		[{ subject: 'x'.repeat(255) }, 'is longer than 254 characters'],
		[{ message: 'x'.repeat(5001) }, 'is longer than 5000 characters'],
		[{ redirectUrl: 'example.com' }, 'is not a URL with http:// or https://'],
		[{ redirectUrl: 'ftp://example.com' }, 'is not a URL with http:// or https://'],
		[{ emailReplyTo: 'me' }, '"me" is not an email address'],
		[{ title: '' }, 'is empty'],
		[{ signatureTypes: [] }, 'is empty: at least one way to sign is needed'],
	])('that the service would refuse are refused', (settings, message) => {
		expect(fault(settingsSchema, settings)).toBe(message);
	});
});

test('a filter for expired recipients is sent only when it is on', () => {
	expect(filtersSchema.parse({ hasExpiredRecipients: false })).toEqual({});
	expect(filtersSchema.parse({ hasExpiredRecipients: true })).toEqual({
		hasExpiredRecipients: 'true',
	});
});

test('a body of an error that has none of the known shapes is told apart', () => {
	expect(failureSchema.safeParse('<html>').success).toBe(false);
	expect(failureSchema.safeParse({ error: { message: 'odd' } }).success).toBe(false);
});
