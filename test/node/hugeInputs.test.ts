import type { IDataObject } from 'n8n-workflow';

import { lines } from '../support/service';
import {
	byId,
	createAndSend,
	fillFromRow,
	mapped,
	signature,
	tina,
	useService,
} from '../support/suite';

const suite = useService({ seed: 'demo' });

const MANY = 10_000;
const LONG = 'k'.repeat(100_000);
const many = (value: unknown): IDataObject =>
	Object.fromEntries(
		Array.from({ length: MANY }, (_, index) => [`wrong ${index}`, value as string]),
	);
const withFields = (additionalFields: IDataObject) => ({ ...fillFromRow, additionalFields });
const prefill = (prefillJson: string) => withFields({ prefillJson });
const settings = (additionalFields: IDataObject) => ({ ...createAndSend, additionalFields });
const recipients = (recipientsJson: string) => ({
	...createAndSend,
	specifyRecipients: 'json',
	recipientsJson,
});
const fields = (changes: IDataObject) => ({
	...createAndSend,
	fields: { field: [{ ...signature, ...changes }] },
});
/** Each differs from "Address" by one letter. */
const misspelt = Object.fromEntries(
	Array.from({ length: MANY }, (_, index) => [`Addres${String.fromCharCode(0x4e00 + index)}`, 'x']),
);

const faulty: Array<[string, IDataObject, string, IDataObject?]> = [
	['wrong keys in Prefill (JSON)', prefill(JSON.stringify(many('x'))), "'wrong 0' is not in the"],
	['a long key in Prefill (JSON)', prefill(JSON.stringify({ [LONG]: 'x' })), "'kkk"],
	['wrong columns', { ...fillFromRow, columns: mapped(many('x')) }, "'wrong 0' is not in the"],
	['misspelt columns', fillFromRow, "'Addres一' (did you mean", misspelt],
	[
		'wrong keys of a recipient',
		recipients(JSON.stringify([{ email: 'tina@example.com', ...many('x') }])),
		"'Recipients (JSON) > Row 1' has something that Documenso does not know: wrong 0, wrong 1,",
	],
	[
		'wrong form values',
		settings({ formValues: JSON.stringify(many(null)) }),
		"'Additional Fields > Form Values > wrong 0' is not text, a number, true or false",
	],
	['a long time zone', settings({ timezone: LONG }), "'Additional Fields > Timezone' is"],
	['a long type', fields({ type: LONG, options: { choices: 'a' } }), "'Fields > Row 1 > Options"],
	['a long ID', { resource: 'document', operation: 'getByIds', id: LONG }, "'ID' is \"kkk"],
];

/** What n8n shows, and stores with the execution. */
test.each(faulty)('an error about %s is short', async (_, parameters, beginning, item = {}) => {
	const { error } = await suite.run(parameters, [{ json: { ...tina, ...item } }]);
	expect(error?.message.slice(0, beginning.length)).toBe(beginning);
	expect(error?.message).toMatch(/ \[item 0\]$/);
	expect(error?.message.length).toBeLessThan(2100);
	expect(error?.description?.length).toBeLessThan(10_100);
	expect(suite.service.calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test.each(faulty)(
	'an item that fails for %s is short, too',
	async (_, parameters, __, item = {}) => {
		const { items } = await suite.run(parameters, [{ json: { ...tina, ...item } }], {
			onError: 'continueRegularOutput',
		});
		expect(items).toHaveLength(1);
		expect(JSON.stringify(items[0]?.json).length).toBeLessThan(15_000);
		expect(items[0]?.json).toHaveProperty('error');
	},
);

test('an error about many items is short, and says how many they are', async () => {
	const rows = Array.from({ length: 5000 }, (_, row) => ({
		json: { 'Tenant email': `${'bad '.repeat(500)}${row}`, Rent: `x${row}` },
	}));
	const { error } = await suite.run(fillFromRow, rows);
	expect(error?.message).toContain('5000 of 5000 items cannot be used');
	expect(error?.description?.length).toBeLessThan(110_000);
	expect(error?.description).toContain('And the items 200, 201, ');
});

const FUNCTION = '() => 1';
const inJson: Array<[string, IDataObject, string]> = [
	[
		'Prefill (JSON)',
		prefill(`={{ ({ Rent: ${FUNCTION} }) }}`),
		'Additional Fields > Prefill (JSON)',
	],
	[
		'Recipients (JSON)',
		recipients(
			`={{ [{ email: 'a@b.c', fields: [{ type: 'TEXT', page: 1, positionX: 1, positionY: 1, width: 1, height: 1, fieldMeta: { label: ${FUNCTION} } }] }] }}`,
		),
		'Recipients (JSON)',
	],
	[
		'Form Values',
		settings({ formValues: `={{ ({ City: ${FUNCTION} }) }}` }),
		'Additional Fields > Form Values',
	],
	[
		'Settings (JSON)',
		{
			resource: 'field',
			operation: 'update',
			fieldId: byId(1),
			specifySettings: 'json',
			settingsJson: `={{ ({ label: ${FUNCTION} }) }}`,
		},
		'Settings (JSON)',
	],
];

test.each(inJson)('a function in %s is named before any request', async (_, parameters, input) => {
	const { error } = await suite.run(parameters, [{ json: tina }]);
	expect(error?.message).toBe(
		`'${input}' has a part that JSON cannot hold, such as a function [item 0]`,
	);
	expect(lines(suite.service)).toEqual([]);
});
