import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { misplacement } from '../../nodes/Documenso/envelope/misplaced';
import { pagesOf } from '../../nodes/shared/pdf/pages';
import { itemWith } from '../support/n8n';
import { CATALOG, HEADER, leaves, object, TRAILER, tree } from '../support/pdfText';
import { lines } from '../support/service';
import { byId, contract, fillFromRow, mapped, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

const A4 = '/MediaBox[0 0 595 842]';

/** Two pages with these entries, in a tree with these. */
const pdf = (page: string, inherited = '') => ({
	content: Buffer.from(
		HEADER +
			object(1, CATALOG) +
			object(2, tree(2, `/Count 2${inherited}`)) +
			leaves(2, page) +
			TRAILER,
		'latin1',
	),
	name: 'lease.pdf',
});

async function reasonFor(page: string, inherited?: string) {
	const { content } = pdf(page, inherited);
	const pages = await pagesOf(
		(async function* () {
			yield await Promise.resolve(content);
		})(),
	);
	const [first] = Array.isArray(pages) ? pages : [];
	if (!first) throw new Error('There is no page');
	return misplacement(first);
}

/**
 * Whether a box at 10 %, 80 % of the page was there in a PDF that was sealed with Documenso's library, as Documenso does,
 * and shown by Poppler.
 */
describe('Documenso misplaces fields', () => {
	test.each([
		['by a size that a page inherits: 1.2 % too low', '', A4],
		['by one that is longer: 4.3 % too low', '', '/MediaBox[0 0 612 1008]'],
	])('%s', async (_, page, inherited) => {
		expect(await reasonFor(page, inherited)).toBe('inherits its size');
	});

	test.each([
		['on a cropped page: 13 % too low', '/CropBox[100 100 500 700]', ''],
		['on one that inherits that', '', '/CropBox[100 100 500 700]'],
		['on one whose crop box is empty: out of sight', '/CropBox[0 0 0 0]', ''],
	])('%s', async (_, page, inherited) => {
		expect(await reasonFor(A4 + page, inherited)).toBe('is cropped');
	});

	test.each([
		['on a page that begins elsewhere: 10 % too low', '/MediaBox[100 100 695 942]'],
		['below it', '/MediaBox[-1000 -1000 -405 -158]'],
		['on one upside down: out of sight', '/MediaBox[0 842 595 0]'],
	])('%s', async (_, page) => {
		expect(await reasonFor(page)).toBe('does not begin at 0, 0');
	});

	test('on a page that inherits its rotation', async () => {
		expect(await reasonFor(A4, '/Rotate 90')).toBe('inherits its rotation');
	});
});

describe('Documenso places fields rightly', () => {
	test.each([
		['on a page that states its size', A4, '/MediaBox[0 0 99 99]'],
		['on one that inherits US Letter', '', '/MediaBox[0 0 612 792]'],
		['on one without a size', '', ''],
		['on one that is turned', `${A4}/Rotate 90`, ''],
		[
			'on one that is turned and says so as a program should not',
			`${A4}/Rotate -630`,
			'/Rotate 90',
		],
		['on one that is cropped at the right and above', `${A4}/CropBox[0 0 400 600]`, ''],
		['on one that is cropped by half a point', `${A4}/CropBox[0.4 0.4 595 842]`, ''],
		['on one whose crop box is larger', `${A4}/CropBox[-20 -20 700 900]`, ''],
		['on one whose crop box is somewhere else', `${A4}/CropBox[700 900 800 999]`, ''],
		['on one whose crop box is none', `${A4}/CropBox[0 0 (9)]`, ''],
	])('%s', async (_, page, inherited) => {
		expect(await reasonFor(page, inherited)).toBeUndefined();
	});
});

const inherited = pdf('', A4);
const [signature] = contract.fields.field;
const create = { resource: 'document', operation: 'create', ...contract };
const ADVICE =
	/^Rewrite the file before this step, for example with: gs .* in\.pdf\. To use it as it is, turn on 'Allow Misplaced Fields'\./;

describe('A field on a page on which Documenso misplaces it', () => {
	describe.each<[string, IDataObject]>([
		['Document: Create', create],
		['Document: Create and Send', { ...create, operation: 'createAndSend' }],
		['Document: Create, Send and Wait', { ...create, operation: 'createUntilSigned' }],
		['Template: Create', { ...create, resource: 'template' }],
	])('in %s', (_, parameters) => {
		test('is refused before any request', async () => {
			const { error } = await suite.run(parameters, [await itemWith({ data: inherited })]);
			expect(error?.message).toBe(
				"'Fields > Row 1 > Page' is 1, but Documenso misplaces fields on that page of lease.pdf: it inherits its size [item 0]",
			);
			expect(error?.description).toMatch(ADVICE);
			expect(lines(suite.service)).toEqual([]);
		});

		test('is sent if that is allowed', async () => {
			const additionalFields = { allowMisplacedFields: true };
			const item = await itemWith({ data: inherited });
			const { error } = await suite.run({ ...parameters, additionalFields }, [item], {
				onError: 'continueRegularOutput',
			});
			expect(error).toBeUndefined();
			const [body] = suite.service.calls.map((call) => JSON.stringify(call.body));
			expect(body).toContain('lease.pdf');
			expect(body).not.toContain('allowMisplacedFields');
		});
	});

	test('is refused in JSON too', async () => {
		const field: IDataObject = { ...signature };
		Reflect.deleteProperty(field, 'recipient');
		const recipientsJson = JSON.stringify([{ email: 'tina@example.com', fields: [field] }]);
		const parameters = { ...create, specifyRecipients: 'json', recipientsJson };
		const { error } = await suite.run(parameters, [await itemWith({ data: inherited })]);
		expect(error?.message).toMatch(/fields > Row 1 > page' is 1, but Documenso misplaces fields/);
	});

	test('is refused before anything is created for other items', async () => {
		const whole = await itemWith({ data: pdf(A4) });
		const items = [whole, await itemWith({ data: inherited }), whole];
		const { error } = await suite.run(create, items);
		expect(error?.message).toMatch(/it inherits its size \[item 1\]$/);
		expect(lines(suite.service)).toEqual([]);
	});

	test('does not matter where no field is on it', async () => {
		const item = await itemWith({ data: pdf(A4), more: inherited });
		const { error } = await suite.run({ ...create, binaryPropertyName: 'data, more' }, [item]);
		expect(error).toBeUndefined();
	});

	test('may be a placeholder, if the PDF contains some', async () => {
		const parameters = { ...create, fields: {}, placeholdersInPdf: true };
		const item = await itemWith({ data: pdf(A4), more: inherited });
		const files = { binaryPropertyName: 'data, more' };
		const { error } = await suite.run({ ...parameters, ...files }, [item]);
		expect(error?.message).toBe(
			"'PDF Contains Placeholders' is on, but Documenso misplaces fields on page 1 of lease.pdf: it inherits its size [item 0]",
		);
		expect(error?.description).toMatch(ADVICE);
		expect(lines(suite.service)).toEqual([]);
		const additionalFields = { allowMisplacedFields: true };
		const allowed = await suite.run({ ...parameters, ...files, additionalFields }, [item]);
		expect(allowed.error).toBeUndefined();
	});

	describe('of a file that replaces the one of a template', () => {
		const replacedFiles = {
			file: [{ envelopeItemId: RENTAL_AGREEMENT.itemId, property: 'data' }],
		};
		const use = (additionalFields: IDataObject) => ({
			...fillFromRow,
			columns: mapped({ 'Tenant email': 'tina@example.com' }),
			additionalFields: { replacedFiles, ...additionalFields },
		});

		test('is refused before anything is created', async () => {
			const { error } = await suite.run(use({}), [await itemWith({ data: inherited })]);
			expect(error?.message).toMatch(
				/^'Replace Template Files' has a file in row 1 that does not fit: the template's field ".*" is on page \d, but Documenso misplaces fields on that page of lease\.pdf: it inherits its size \[item 0\]$/,
			);
			expect(error?.description).toMatch(ADVICE);
			expect(suite.documents()).toEqual([]);
		});

		test('is sent if that is allowed', async () => {
			const item = await itemWith({ data: inherited });
			const { error } = await suite.run(use({ allowMisplacedFields: true }), [item]);
			expect(error).toBeUndefined();
		});
	});

	describe('of a file in Documenso', () => {
		async function stored() {
			const item = await itemWith({ data: inherited });
			const additionalFields = { allowMisplacedFields: true };
			await suite.outputOf({ ...create, additionalFields }, [item]);
			const [document] = suite.documents();
			if (!document) throw new Error('There is no document');
			suite.service.calls.length = 0;
			return document;
		}

		test.each([
			[
				false,
				"'Page' is 2, but Documenso misplaces fields on that page of lease.pdf: it inherits its size [item 0]",
			],
			[true, undefined],
		])(
			'is refused by Field: Add, unless that is allowed: %s',
			async (allowMisplacedFields, message) => {
				const { id, recipients } = await stored();
				const place = { positionX: 10, positionY: 20, width: 30, height: 6, page: 2 };
				const { error } = await suite.run({
					...{ resource: 'field', operation: 'add', type: 'TEXT', place: 'coordinates', ...place },
					...{ envelopeId: byId(id), recipientId: byId(recipients[0]?.id) },
					options: { allowMisplacedFields },
				});
				expect(error?.message).toBe(message);
			},
		);

		test.each([
			[false, /^'Page' is 2, but Documenso misplaces fields/],
			[true, /^undefined$/],
		])(
			'is refused by Field: Move, unless that is allowed: %s',
			async (allowMisplacedFields, message) => {
				const { fields } = await stored();
				const { error } = await suite.run({
					...{ resource: 'field', operation: 'move', fieldId: byId(fields[0]?.id) },
					updateFields: { page: 2 },
					options: { allowMisplacedFields },
				});
				expect(String(error?.message)).toMatch(message);
			},
		);
	});
});
