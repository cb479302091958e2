import { startEmulator, type Emulator } from '../../emulator';
import { sendDocument, signatureField, signer } from './api';

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ seed: 'empty', sealDelayMs: 1 });
});
afterAll(async () => await service.close());

type Value = string | number | boolean | null | ReadonlyArray<string | number>;
type Setting = Record<string, unknown>;

const boxes = (...texts: string[]): Setting => ({
	values: texts.map((value, index) => ({ id: index + 1, checked: false, value })),
});
const options = (...texts: string[]): Setting => ({ values: texts.map((value) => ({ value })) });
const rule = (validationRule: string, validationLength?: number): Setting => ({
	...boxes('A', 'B', 'C'),
	...{ validationRule, validationLength },
});

/** Sends a document with a signature and that field, whose signer types the value. */
async function typed(type: string, settings: Setting, value: Value) {
	const field = { ...signatureField, type, fieldMeta: { type: type.toLowerCase(), ...settings } };
	const fields = type === 'SIGNATURE' ? [field] : [signatureField, field];
	const { id, tokens } = await sendDocument(service, { recipients: [{ ...signer, fields }] });
	const envelope = service.store.envelopes.get(id);
	const stored = envelope?.fields.at(-1);
	const response = await fetch(`${service.url}/sign/${tokens[0]}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ action: 'sign', fields: { [stored?.id ?? 0]: value } }),
	});
	const { error } = (await response.json()) as { error?: string };
	return {
		error,
		customText: stored?.customText,
		isInserted: stored?.inserted,
		status: envelope?.recipients[0]?.signingStatus,
	};
}

describe('stores and signs', () => {
	const accepted: Array<[type: string, settings: Setting, value: Value, stored?: string]> = [
		['TEXT', { characterLimit: 5 }, '12345'],
		['TEXT', { characterLimit: 0 }, '123456'],
		['TEXT', { required: true }, ' '],
		['TEXT', {}, ''],
		['TEXT', { text: 'preset' }, 'changed'],
		['NUMBER', { minValue: 10 }, '10'],
		['NUMBER', { maxValue: 10 }, '10'],
		['NUMBER', {}, ' 5 '],
		['NUMBER', {}, '1,2.3,4'],
		['NUMBER', { minValue: 3, maxValue: 8 }, '.'],
		['NUMBER', { value: '5' }, '6'],
		['NUMBER', { numberFormat: '123,456,789.00' }, '1,234.50'],
		['NUMBER', { numberFormat: '123,456,789.00' }, '1234.5'],
		['NUMBER', { numberFormat: '123.456.789,00' }, '1.234,50'],
		['NUMBER', { numberFormat: '123456,789.00' }, '1234,567.00'],
		['RADIO', boxes('A', 'B'), 1, '1'],
		['RADIO', boxes('A', 'B'), 'B', '1'],
		['CHECKBOX', rule('Select exactly', 2), [0, 2], '[0,2]'],
		['CHECKBOX', rule('Select at least', 2), ['A', 'B', 'C'], '[0,1,2]'],
		['CHECKBOX', rule('Select at most', 2), ['C'], '[2]'],
		['CHECKBOX', rule('Select exactly'), [0, 1], '[0,1]'],
		['CHECKBOX', boxes('A', 'B'), [0, 0], '[0,0]'],
		['DROPDOWN', options('S', 'L'), 'L'],
		['DROPDOWN', options('S', 'L'), ''],
		['NAME', {}, 'Ann'],
		['INITIALS', {}, 'AB'],
		['EMAIL', {}, 'a@b'],
		['SIGNATURE', {}, 'Ann', ''],
	];
	test.each(accepted)('%s %j: %j', async (type, settings, value, stored = String(value)) => {
		const signed = { error: undefined, customText: stored, isInserted: true, status: 'SIGNED' };
		expect(await typed(type, settings, value)).toEqual(signed);
	});
});

describe('leaves an optional field empty, and signs', () => {
	const empty: Array<[type: string, settings: Setting, value: Value]> = [
		['TEXT', {}, null],
		['NUMBER', {}, ''],
		['RADIO', boxes('A', 'B'), null],
		['CHECKBOX', rule('Select at most', 2), []],
		['CHECKBOX', rule('Select at least', 2), []],
		['DROPDOWN', options('S', 'L'), null],
	];
	test.each(empty)('%s %j: %j', async (type, settings, value) => {
		const signed = { error: undefined, customText: '', isInserted: false, status: 'SIGNED' };
		expect(await typed(type, settings, value)).toEqual(signed);
	});
});

describe('refuses', () => {
	const refused: Array<[type: string, settings: Setting, value: Value, error: string]> = [
		['TEXT', { characterLimit: 5 }, '123456', 'Invalid email'],
		['TEXT', { characterLimit: 2 }, '😀x', 'Invalid email'],
		['TEXT', { required: true }, '', 'Invalid email'],
		['NUMBER', { minValue: 10 }, '9', 'Invalid number'],
		['NUMBER', { maxValue: 10 }, '11', 'Invalid number'],
		['NUMBER', { minValue: -5 }, '-4', 'Invalid number'],
		['NUMBER', { minValue: 10, maxValue: 5 }, '7', 'Invalid number'],
		['NUMBER', {}, 'abc', 'Invalid number'],
		['NUMBER', {}, '1e5', 'Invalid number'],
		['NUMBER', {}, '1 000', 'Invalid number'],
		['NUMBER', { numberFormat: '123,456,789.00' }, '1.234,50', 'Invalid number'],
		['NUMBER', { numberFormat: '123,456,789.00' }, '1234.567', 'Invalid number'],
		['NUMBER', { numberFormat: '123.456.789,00' }, '1,234.50', 'Invalid number'],
		['NUMBER', { numberFormat: '123.456.789,00', minValue: 100 }, '1.250,00', 'Invalid number'],
		['NUMBER', { numberFormat: '123456,789.00' }, '1234.50', 'Invalid number'],
		['NUMBER', { numberFormat: 'unknown' }, '1', 'Invalid number'],
		['RADIO', boxes('A', 'B'), 2, 'Invalid radio value'],
		['RADIO', boxes('A', 'B'), 'C', 'Invalid radio value'],
		['CHECKBOX', boxes('A', 'B'), [2], 'Invalid checkbox values'],
		['CHECKBOX', boxes('A', 'B'), ['C'], 'Invalid checkbox values'],
		['CHECKBOX', rule('Select exactly', 2), [0], 'Checkbox values failed length validation'],
		['CHECKBOX', rule('Select at least', 2), [0], 'Checkbox values failed length validation'],
		['CHECKBOX', rule('Select at most', 1), [0, 1], 'Checkbox values failed length validation'],
		['DROPDOWN', options('S', 'L'), 'XL', 'Invalid dropdown value'],
		['DROPDOWN', options('S', 'S'), 'S', 'Invalid dropdown value'],
		['DROPDOWN', { ...options('S'), defaultValue: 'Z' }, 'S', 'Invalid dropdown value'],
		['DROPDOWN', options('', 'S'), 'S', 'Invalid dropdown value'],
		['DROPDOWN', { ...options('S'), required: true }, '', 'Invalid dropdown value'],
		['NAME', {}, '', 'Value is required'],
		['INITIALS', {}, '', 'Value is required'],
		['NAME', {}, 'a\0b', 'Invalid text'],
		['TEXT', {}, 'a\ud800b', 'Invalid text'],
	];
	test.each(refused)('%s %j: %j (%s)', async (type, settings, value, error) => {
		const open = { error, customText: '', isInserted: false, status: 'NOT_SIGNED' };
		expect(await typed(type, settings, value)).toEqual(open);
	});

	const missing: Array<[type: string, settings: Setting, value: Value]> = [
		['TEXT', { required: true }, null],
		['NUMBER', { required: true }, ''],
		['RADIO', { ...boxes('A', 'B'), required: true }, null],
		['CHECKBOX', { ...boxes('A', 'B'), required: true }, []],
		['DROPDOWN', { ...options('S'), required: true }, null],
		['NAME', {}, null],
		['EMAIL', {}, null],
		['SIGNATURE', {}, ''],
		['SIGNATURE', {}, null],
	];
	test.each(missing)('a required %s %j without a value: %j', async (type, settings, value) => {
		expect(await typed(type, settings, value)).toEqual({
			error: expect.stringMatching(/^Recipient \d+ has unsigned fields$/) as string,
			customText: '',
			isInserted: false,
			status: 'NOT_SIGNED',
		});
	});

	test('an address that is none, and the one from before stays', async () => {
		expect(await typed('EMAIL', {}, 'no')).toMatchObject({
			...{ error: 'Invalid email', customText: signer.email, isInserted: true },
		});
	});

	test('any value of a field that is read only', async () => {
		const answer = await typed('TEXT', { text: 'set', readOnly: true }, 'set');
		expect(answer).toMatchObject({
			error: expect.stringMatching(/^Field \d+ is read only$/) as string,
			...{ customText: 'set', status: 'NOT_SIGNED' },
		});
	});

	test('a typed signature where signatures must be drawn', async () => {
		const { id, tokens } = await sendDocument(service, { meta: { typedSignatureEnabled: false } });
		const label = { signature: 'Sally' };
		await expect(service.sign(String(tokens[0]), { fields: label })).rejects.toThrow(
			'Typed signatures are not allowed. Please draw your signature',
		);
		await service.sign(String(tokens[0]));
		await service.settled();
		expect(service.store.envelopes.get(id)?.status).toBe('COMPLETED');
	});
});

test.each([true, false, '1999-12-31', null])(
	'a date is that of the signing, whatever the signer gives: %j',
	async (value) => {
		const { customText, status } = await typed('DATE', {}, value);
		const today = new Date().toISOString().slice(0, 10);
		expect([customText?.slice(0, 10), status]).toEqual([today, 'SIGNED']);
	},
);

test('a field that is read only and required, but empty, can never be signed', async () => {
	const settings = { type: 'text', readOnly: true, required: true };
	const fields = [signatureField, { ...signatureField, type: 'TEXT', fieldMeta: settings }];
	const { tokens } = await sendDocument(service, { recipients: [{ ...signer, fields }] });
	await expect(service.sign(String(tokens[0]))).rejects.toThrow('has unsigned fields');
});
