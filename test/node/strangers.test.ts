import type { IDataObject } from 'n8n-workflow';

import type { FillableTemplate } from '../../nodes/shared/api/envelope';
import { filledValues } from '../../nodes/shared/envelope/filledValues';
import { columnInputs } from '../../nodes/Documenso/template/columnInputs';
import { templateOf } from '../../nodes/Documenso/template/columns';
import { lines } from '../support/service';
import { fillFromRow, mapped, tina, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });

/** A template whose fields all have the same label, which counts how often they are read. */
function counted(count: number) {
	let steps = 0;
	const watched = <One extends object>(record: One): One =>
		new Proxy(record, {
			get: (target, key, receiver) => {
				steps++;
				return Reflect.get(target, key, receiver) as unknown;
			},
		});
	const recipients = Array.from({ length: count / 10 }, (_, index) => {
		const who = { id: index, name: 'Tenant', email: `t${index}@example.com`, role: 'SIGNER' };
		return watched({ ...who, token: '', signingStatus: 'NOT_SIGNED' });
	});
	const fields = Array.from({ length: count }, (_, index) =>
		watched({
			...{ id: index, type: 'TEXT', recipientId: index % 10, page: 1, positionX: 1, positionY: 1 },
			...{ width: 9, height: 4 },
			...{
				envelopeItemId: 'a',
				customText: 'AL',
				inserted: true,
				fieldMeta: { label: 'Initials' },
			},
		}),
	);
	const template: FillableTemplate = {
		...{ id: 'envelope_a', secondaryId: 'template_1', type: 'TEMPLATE', status: 'DRAFT' },
		...{ title: 'Lease', recipients, fields },
		envelopeItems: [{ id: 'a', title: 'Lease', order: 1 }],
	};
	return { template, steps: () => steps };
}

test.each([
	['the columns of a spreadsheet', (template: FillableTemplate) => templateOf(template)],
	['the inputs in the editor', (template: FillableTemplate) => columnInputs(templateOf(template))],
	['the values that people filled in', (template: FillableTemplate) => filledValues(template)],
])('%s take steps in proportion to the fields, whatever their labels', (_, work) => {
	const stepsFor = (count: number) => {
		const { template, steps } = counted(count);
		// Each comparison of names begins with it.
		const compared = jest.spyOn(String.prototype, 'normalize');
		work(template);
		const comparisons = compared.mock.calls.length;
		compared.mockRestore();
		return steps() + comparisons;
	};
	expect(stepsFor(800) / stepsFor(200)).toBeLessThan(5);
});

/** n8n takes requests of up to 16 MB. */
const LONG = 8_000_000;

test.each([
	['brackets', '('],
	['blanks', ' '],
	['letters', 'a'],
])('a column whose name is nothing but %s is left alone', async (_, letter) => {
	const run = await suite.run(fillFromRow, [{ json: { ...tina, [letter.repeat(LONG)]: 'x' } }]);
	expect(run.error).toBeUndefined();
	expect(suite.documents()).toHaveLength(1);
});

test('a name that is longer than the questions of forms is still found where it is equal', async () => {
	const question = `Which of these do you want? ${'x'.repeat(300)}`;
	Object.assign(suite.field('rent').fieldMeta ?? {}, { label: question });
	await suite.outputOf(fillFromRow, [{ json: { ...tina, [question]: '900' } }]);
	const [document] = suite.documents();
	expect(document?.fields.map(({ customText }) => customText)).toContain('900');
});

test('two columns that mean the same are compared, however long their values are', async () => {
	const blanks = ' '.repeat(LONG);
	const json = { ...tina, Address: `${blanks}1`, address: '1' };
	expect((await suite.run(fillFromRow, [{ json }])).error).toBeUndefined();
	const { error } = await suite.run(fillFromRow, [{ json: { ...json, address: '2' } }]);
	expect(error?.message).toContain("'address' means the same as 'Address'");
});

test('columns that nobody knows are compared once, however many items there are', async () => {
	const comparisonsFor = async (items: number) => {
		const rows = Array.from({ length: items }, (_, item) => {
			const names = Array.from({ length: 700 }, (_, index) => `Other column ${item * 700 + index}`);
			return { json: { ...tina, ...Object.fromEntries(names.map((name) => [name, 'x'])) } };
		});
		const compared = jest.spyOn(String.prototype, 'normalize');
		await suite.outputOf(fillFromRow, rows);
		const count = compared.mock.calls.length;
		compared.mockRestore();
		return count;
	};
	const [few, all] = [await comparisonsFor(3), await comparisonsFor(12)];
	expect(all / few).toBeLessThan(5);
});

const many: IDataObject = Object.fromEntries(
	Array.from({ length: 20_000 }, (_, index) => [`c${index}`, 'x']),
);

test('more columns than any sheet has are refused before any request, and so many values', async () => {
	const { error } = await suite.run(fillFromRow, [{ json: { ...wholeRow, ...many } }]);
	expect(error?.message).toMatch(/^'Columns' are 2\d{4}; at most 20000 are read \[item 0\]$/);
	const prefilled = {
		...fillFromRow,
		columns: mapped(tina),
		additionalFields: { prefillJson: JSON.stringify({ ...many, another: 'x' }) },
	};
	const { error: ofPrefill } = await suite.run(prefilled, [{ json: {} }]);
	expect(ofPrefill?.message).toContain("'Prefill (JSON)' are 20001; at most 20000 are read");
	expect(lines(suite.service).filter((line) => line.startsWith('POST'))).toEqual([]);
});
