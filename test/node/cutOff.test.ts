import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';

import { fillFromRow, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });
const row = (changes: IDataObject = {}) => ({ json: { ...wholeRow, ...changes } });
const isAboutCut = (hint: string) => hint.includes('too long for their fields');
const street = 'Bahnhofstrasse 12';

/** A field as wide as Documenso's editor makes it. */
function narrow(name: 'address' | 'rent') {
	Object.assign(suite.field(name), { width: 12, height: 2.5 });
}

describe('a value that has no room in its field', () => {
	beforeEach(() => {
		narrow('address');
	});

	test('is sent, and a hint says how much of it shows, for which items, and what to do', async () => {
		const rows = [row({ Address: street }), row({ Address: 'Quay 1' }), row({ Address: street })];
		const { hints, error } = await suite.run(fillFromRow, rows);
		expect(error).toBeUndefined();
		expect(hints.filter(isAboutCut)).toEqual([
			`These values are too long for their fields, so Documenso cuts them off: Address (items 0, 2). 'Address' shows about 9 of 17 characters. Enlarge the field in the template, or choose a smaller font size or another overflow for it: in Documenso's editor, or with 'Field: Update'.`,
		]);
	});

	test('has a warning in the preview, beside what signers can erase', async () => {
		const preview = { ...fillFromRow, operation: 'previewDocument' };
		const [item] = await suite.outputOf(preview, [row({ Address: street })]);
		const { warnings } = item?.documensoPreview as { warnings: IDataObject[] };
		expect(warnings).toEqual([
			{
				column: 'Address',
				message: "'Address' shows about 9 of 17 characters",
				advice: expect.stringContaining('Enlarge the field') as string,
			},
			{
				column: 'Address, Rent, Start date, Payment',
				message: expect.stringContaining('one click on such a field erases its value') as string,
				advice: expect.stringContaining('turn on Read Only') as string,
			},
		]);
	});

	test('is no reason for a hint where the field may grow', async () => {
		Object.assign(suite.field('address').fieldMeta ?? {}, { overflow: 'auto' });
		const { hints } = await suite.run(fillFromRow, [row({ Address: street })]);
		expect(hints.filter(isAboutCut)).toEqual([]);
	});
});

test.each([
	['NAME', 'Tenant name', 'Wolfeschlegelsteinhausenbergerdorff'],
	['EMAIL', 'Tenant email', 'wolfeschlegelsteinhausen@example.com'],
])('what a signer’s %s field will show is measured, too', async (type, column, value) => {
	Object.assign(suite.field('tenantDate'), { type, width: 20, height: 2 });
	suite.field('tenantDate').fieldMeta = { type: type.toLowerCase() } as never;
	const { hints, error } = await suite.run(fillFromRow, [row({ [column]: value })]);
	expect(error).toBeUndefined();
	expect(hints.find(isAboutCut)).toContain(`cuts them off: ${column}.`);
});

test('a date is measured as the template writes it', async () => {
	const { documentMeta } = suite.template();
	Object.assign(documentMeta, { dateFormat: 'MMMM dd, yyyy hh:mm a' });
	Object.assign(suite.field('startDate'), { width: 16, height: 2 });
	Object.assign(suite.field('startDate').fieldMeta ?? {}, { overflow: 'crop' });
	const { hints } = await suite.run(fillFromRow, [row()]);
	expect(hints.find(isAboutCut)).toContain("'Start date' shows about");
	Object.assign(documentMeta, { dateFormat: 'yyyy-MM-dd' });
	const short = await suite.run(fillFromRow, [row()]);
	expect(short.hints.filter(isAboutCut)).toEqual([]);
});

test('everything in the demo’s spreadsheet fits', async () => {
	const file = join(__dirname, '..', '..', 'examples', 'rental-agreements.csv');
	const rows = parse<IDataObject>(readFileSync(file), { columns: true, bom: true });
	const { hints, items } = await suite.run(
		fillFromRow,
		rows.map((json) => ({ json })),
	);
	expect(items).toHaveLength(rows.length);
	expect(hints.filter(isAboutCut)).toEqual([]);
});

test('a template whose layout settings are null, as they may be, is filled in', async () => {
	const unset = { lineHeight: null, letterSpacing: null, verticalAlign: null };
	for (const name of ['address', 'rent'] as const) {
		Object.assign(suite.field(name).fieldMeta ?? {}, unset);
	}
	const { error, items } = await suite.run(fillFromRow, [row()]);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
});

test('a setting that only decides how a value looks is no reason to read no template', async () => {
	const odd = { fontSize: '12', overflow: null, verticalAlign: 'baseline', textAlign: null };
	Object.assign(suite.field('rent').fieldMeta ?? {}, odd);
	const preview = { ...fillFromRow, operation: 'previewDocument' };
	const [item] = await suite.outputOf(preview, [row()]);
	expect(item?.documensoPreview).toMatchObject({ action: 'send' });
});
