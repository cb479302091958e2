import { PDFDocument } from '@cantoo/pdf-lib';
import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { misplacement } from '../../nodes/Documenso/envelope/misplaced';
import { pagesOf } from '../../nodes/shared/pdf/pages';
import { fieldOf, itemWith, useBinaryMode } from '../support/n8n';
import { pdf } from '../support/pdf';
import {
	CATALOG,
	deflated,
	document,
	HEADER,
	leaves,
	object,
	stream,
	TRAILER,
	tree,
} from '../support/pdfText';
import { refusal } from '../support/refusal';
import { lines } from '../support/service';
import { contract, fillFromRow, mapped, step, tina, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const twoPages = async (name = 'contract.pdf') => ({ content: await pdf('One', 'Two'), name });
const onePage = async (name = 'short.pdf') => ({ content: await pdf('One'), name });

/** Its list of pages is longer than the node reads. */
const broken = (name = 'scan.pdf') => {
	const text = document(2).replace('/Count 2', `${' '.repeat(200_000)}/Count 2`);
	return { content: Buffer.from(text, 'latin1'), name };
};

const [signature] = contract.fields.field;

const fieldsOn = (...pages: number[]) => ({
	field: pages.map((page, row) => ({ ...signature, page, positionY: 80 - row * 10 })),
});

/** A recipient with a field on each of these pages, in JSON. */
const inJson = (...pages: number[]) => {
	const fields = pages.map((page, identifier) => ({ ...signature, page, identifier }));
	for (const field of fields) Reflect.deleteProperty(field, 'recipient');
	const recipientsJson = JSON.stringify([{ email: 'tina@example.com', fields }]);
	return { specifyRecipients: 'json', recipientsJson };
};

const create = { resource: 'document', ...contract, operation: 'create' };

/** Where new documents and templates are made from files. */
const creations: Array<[string, IDataObject]> = [
	['Document: Create', create],
	['Document: Create and Send', { ...create, operation: 'createAndSend' }],
	['Document: Create, Send and Wait', { ...create, operation: 'createUntilSigned' }],
	['Template: Create', { ...create, resource: 'template' }],
];

/** The rental agreement with another file in the place of its own. */
const useWithFile = (additionalFields: IDataObject = {}) => {
	const file = [{ envelopeItemId: RENTAL_AGREEMENT.itemId, property: 'data' }];
	const settings = { replacedFiles: { file }, ...additionalFields };
	return { ...fillFromRow, columns: mapped(tina), additionalFields: settings };
};

const addFile = step('file.add', { envelopeId: RENTAL_AGREEMENT.id });

const place = { positionX: 10, positionY: 20, width: 30, height: 6 };

/** Gives a text to the first recipient. */
const addTo = ({ id, recipients }: Envelope, page: unknown, changes: IDataObject = {}) => {
	const ids = { envelopeId: id, recipientId: recipients[0]?.id };
	return step('field.add', ids, { type: 'TEXT', ...place, page, ...changes } as IDataObject);
};

const move = ({ fields }: Envelope, updateFields: IDataObject, changes: IDataObject = {}) =>
	step('field.move', { fieldId: fields[0]?.id }, { updateFields, ...changes });

describe('A page that is counted from the end', () => {
	test.each([
		[-1, 2],
		[-2, 1],
	])('%d is page %d of two', async (entered, page) => {
		const item = await itemWith({ data: await twoPages() });
		await suite.outputOf({ ...create, fields: fieldsOn(entered) }, [item]);
		expect(suite.documents()[0]?.fields).toMatchObject([{ page }]);
	});

	test('is the last one in JSON, too, and of the file that the field names', async () => {
		const item = await itemWith({ data: await twoPages(), more: await onePage() });
		const parameters = { ...create, binaryPropertyName: 'data, more', ...inJson(-1, -1) };
		await suite.outputOf(parameters, [item]);
		expect(suite.documents()[0]?.fields.map(({ page }) => page)).toEqual([2, 1]);
	});

	test('is refused if the file has fewer pages', async () => {
		const item = await itemWith({ data: await twoPages() });
		const error = await suite.refused({ ...create, fields: fieldsOn(-3) }, [item]);
		expect(error.message).toBe(
			"'Fields > Row 1 > Page' is -3, but contract.pdf has 2 pages [item 0]",
		);
	});

	test('is refused before anything is created if the pages cannot be counted', async () => {
		const item = await itemWith({ data: broken() });
		const error = await suite.refused({ ...create, fields: fieldsOn(-1) }, [item]);
		expect(error.message).toBe(
			"'Fields > Row 1 > Page' is -1, counted from the end, but the pages of scan.pdf cannot be counted [item 0]",
		);
	});

	test('is found in a file in Documenso by Field: Add and Move', async () => {
		const document = await suite.document();
		const file = document.items[0]?.id;
		expect(await suite.outputOf(addTo(document, -1))).toMatchObject([{ page: 2 }]);
		expect(await suite.outputOf(move(document, { page: -1 }))).toMatchObject([{ page: 2 }]);
		suite.service.fail({ match: `GET /envelope/item/${file}/download`, status: 404 });
		const { error } = await suite.run(addTo(document, -1));
		expect(error?.message).toContain('the pages of data.pdf cannot be counted');
	});
});

describe('A field on a page that the PDF does not have', () => {
	describe.each(creations)('%s', (_, parameters) => {
		test('is refused before any request', async () => {
			const item = await itemWith({ data: await twoPages() });
			const error = await suite.refused({ ...parameters, fields: fieldsOn(1, 3) }, [item]);
			expect(error.message).toBe(
				"'Fields > Row 2 > Page' is 3, but contract.pdf has 2 pages [item 0]",
			);
		});

		test('is refused in JSON too', async () => {
			const item = await itemWith({ data: await onePage() });
			const error = await suite.refused({ ...parameters, ...inJson(2) }, [item]);
			expect(error.message).toBe(
				"'Recipients (JSON) > Row 1 > fields > Row 1 > page' is 2, but short.pdf has 1 page [item 0]",
			);
		});
	});

	test('is a page of the file that the field names', async () => {
		const item = await itemWith({ data: await twoPages(), more: await onePage() });
		const files = { binaryPropertyName: 'data, more' };
		const on = (identifier: string) => ({ ...signature, page: 2, options: { identifier } });
		const run = async (identifier: string) =>
			await suite.run({ ...create, ...files, fields: { field: [on(identifier)] } }, [item]);
		for (const file of ['1', 'short.pdf']) {
			const { error } = await run(file);
			expect(error?.message).toMatch(/Row 1 > Page' is 2, but short\.pdf has 1 page/);
		}
		expect(lines(suite.service)).toEqual([]);
		for (const file of ['0', 'contract.pdf', '']) expect((await run(file)).error).toBeUndefined();
	});

	test('does not stop fields on the last page', async () => {
		const item = await itemWith({ data: await twoPages() });
		const { error, hints } = await suite.run({ ...create, fields: fieldsOn(1, 2) }, [item]);
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
	});

	test('with Check All Items First nothing is created for the other items', async () => {
		const good = await itemWith({ data: await twoPages() });
		const bad = await itemWith({ data: await onePage() });
		const parameters = { ...create, fields: fieldsOn(2) };
		const error = await suite.refused(parameters, [good, bad, good]);
		expect(error.message).toMatch(/Page' is 2, but short\.pdf has 1 page \[item 1\]$/);
		expect(error.description).toBe(
			'Enter a page that the file has, or use another file. Nothing was created for any item.',
		);
		const { items } = await suite.run(parameters, [good, bad, good], {
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
	});

	test('is passed on where the pages cannot be counted, which the node says', async () => {
		const item = await itemWith({ data: broken() });
		const { hints } = await suite.run({ ...create, fields: fieldsOn(9, 9) }, [item]);
		expect(lines(suite.service)).toContain('POST /envelope/create');
		expect(hints).toEqual([
			'The pages of scan.pdf could not be counted [item 0]: check that the file opens, and that every field is on a page that it has.',
		]);
	});

	test('is found in a file that is stored on disk, and counted once for all items', async () => {
		await useBinaryMode('filesystem');
		try {
			const item = await itemWith({ data: broken() });
			const parameters = { ...create, binaryPropertyName: fieldOf('data'), fields: fieldsOn(2) };
			const { hints } = await suite.run(parameters, [item, item, item]);
			expect(hints).toHaveLength(1);
			const short = await itemWith({ data: await onePage() });
			const { error } = await suite.run(parameters, [short]);
			expect(error?.message).toMatch(/Page' is 2, but short\.pdf has 1 page/);
		} finally {
			await useBinaryMode('default');
		}
	});
});

/** Documenso accepts most of them, and has them signed without what is missing. */
describe('A PDF that is not whole', () => {
	const cutShort = async () => {
		const { content } = await twoPages();
		return { content: content.subarray(0, content.length - 300), name: 'scan.pdf' };
	};
	const withoutPages = async () => {
		const document = await PDFDocument.create();
		const content = Buffer.from(await document.save({ addDefaultPage: false }));
		return { content, name: 'empty.pdf' };
	};
	const encrypted = async () => {
		const made = await PDFDocument.create();
		made.addPage();
		made.encrypt({ ownerPassword: 'secret', permissions: { printing: 'highResolution' } });
		return { content: Buffer.from(await made.save()), name: 'safe.pdf' };
	};
	/** As an HTTP Request node makes it whose response is text. */
	const readAsText = async () => {
		const { content } = await twoPages();
		return { content: Buffer.from(content.toString()), name: 'text.pdf' };
	};
	const files = [
		{ make: encrypted, fault: 'is safe.pdf, which is encrypted' },
		{ make: readAsText, fault: 'is text.pdf, which was read as text, so its pages are damaged' },
		{ make: cutShort, fault: 'is scan.pdf, which is cut short: its end is missing' },
		{ make: withoutPages, fault: 'is empty.pdf, which has no pages' },
	];
	const operations = [
		...creations,
		['Template: Create Document', useWithFile()] as const,
		['File: Add', addFile] as const,
	];

	describe.each(operations)('is refused by %s before any request', (_, parameters) => {
		test.each(files)('as $fault', async ({ make, fault }) => {
			const error = await suite.refused(parameters, [await itemWith({ data: await make() })]);
			expect(error.message).toBe(`The file in 'data' ${fault} [item 0]`);
		});
	});

	test('is refused before anything is created for the other items', async () => {
		const whole = await itemWith({ data: await twoPages() });
		const items = [whole, await itemWith({ data: await cutShort() }), whole];
		const error = await suite.refused({ ...create, fields: fieldsOn(1) }, items);
		expect(error.message).toMatch(/ is scan\.pdf, which is cut short.* \[item 1\]$/);
	});

	test('is passed on with a hint where that is not sure, even if all fields are on its first page', async () => {
		const item = await itemWith({ data: broken() });
		const { error, hints } = await suite.run({ ...create, fields: fieldsOn(1) }, [item, item]);
		expect(error).toBeUndefined();
		expect(hints).toEqual([expect.stringMatching(/^The pages of scan\.pdf could not be counted/)]);
	});

	test('is passed on with a hint where it would take too long to count its pages', async () => {
		const brackets = `9 0 [${'[]'.repeat(2_000_000)}] `;
		const packed = stream(99, deflated(brackets), '/Type/ObjStm/N 1/First 4/Filter/FlateDecode');
		const content = Buffer.from(document(3, packed), 'latin1');
		const item = await itemWith({ data: { content, name: 'scan.pdf' } });
		const { error, hints } = await suite.run({ ...create, fields: fieldsOn(9) }, [item]);
		expect(error).toBeUndefined();
		expect(hints).toEqual([expect.stringMatching(/^The pages of scan\.pdf could not be counted/)]);
	});
});

describe('A replaced file that is shorter than the page of a field', () => {
	/** Moves a field of the demo's template to another page. */
	function withFieldOn(page: number) {
		Object.assign(suite.field('rent'), { page, positionX: 2, positionY: 2 });
	}

	test('is refused before anything is created', async () => {
		withFieldOn(3);
		const item = await itemWith({ data: await twoPages('lease.pdf') });
		const { error } = await suite.run(useWithFile(), [item]);
		expect(error?.message).toBe(
			`'Replace Template Files' has a file in row 1 that does not fit: the template's field "Rent" is on page 3, but lease.pdf has 2 pages [item 0]`,
		);
		expect(error?.description).toMatch(/^Use a file that has this page/);
		expect(lines(suite.service)).toEqual([`GET /envelope/${RENTAL_AGREEMENT.id}`]);
	});

	test('is used when it has the page', async () => {
		withFieldOn(2);
		const item = await itemWith({ data: await twoPages('lease.pdf') });
		const { error, hints } = await suite.run(useWithFile(), [item]);
		expect(error).toBeUndefined();
		expect(hints.join()).not.toContain('pages of scan.pdf');
	});

	test('is passed on where its pages cannot be counted, which the node says', async () => {
		withFieldOn(2);
		const item = await itemWith({ data: broken() });
		const { hints } = await suite.run(useWithFile(), [item]);
		expect(lines(suite.service)).toContain('POST /envelope/use');
		expect(hints).toContainEqual(
			expect.stringMatching(/^The pages of scan\.pdf could not be counted/),
		);
	});
});

describe('A field put onto a page that the stored file does not have', () => {
	test('is refused by Field: Add, which reads the file once for all items', async () => {
		const document = await suite.document();
		const path = `/envelope/item/${document.items[0]?.id}/download`;
		const pages = [1, 2, 3, 2].map((page) => ({ json: { page } }));
		const add = addTo(document, '={{ $json.page }}');
		const { items: output } = await suite.run(add, pages, { onError: 'continueRegularOutput' });
		expect(output.map(({ json }) => json.error ?? json.page)).toEqual([
			1,
			2,
			"'Page' is 3, but data.pdf has 2 pages [item 2]",
			2,
		]);
		const reads = suite.service.calls.filter((call) => call.path === path);
		expect(reads.map(({ query }) => query)).toMatchObject([{ version: 'original' }]);
	});

	test('takes one request more for each file, because Documenso may misplace fields on any page', async () => {
		const document = await suite.document();
		await suite.outputOf(addTo(document, 1), [{ json: {} }, { json: {} }]);
		expect(lines(suite.service)).toEqual([
			`GET /envelope/${document.id}`,
			`GET /envelope/item/${document.items[0]?.id}/download`,
			'POST /envelope/field/create-many',
			'POST /envelope/field/create-many',
		]);
	});

	test('takes none on the first page if fields may be misplaced: every file has that page', async () => {
		const document = await suite.document();
		await suite.outputOf(addTo(document, 1, { options: { allowMisplacedFields: true } }));
		expect(lines(suite.service)).toEqual([
			`GET /envelope/${document.id}`,
			'POST /envelope/field/create-many',
		]);
	});

	test('is looked for in one file at a time, because it is read into memory', async () => {
		let [reading, most] = [0, 0];
		suite.service.intercept('GET /envelope/item/*/download', async ({ pass }) => {
			most = Math.max(most, ++reading);
			const answer = await pass();
			await new Promise((resolve) => setTimeout(resolve, 50));
			reading--;
			return answer;
		});
		const drafts = [await suite.document(), await suite.document(), await suite.document()];
		const rows = drafts.map(({ id, recipients }) => ({ json: { id, owner: recipients[0]?.id } }));
		const ids = { envelopeId: '={{ $json.id }}', recipientId: '={{ $json.owner }}' };
		const add = step('field.add', ids, { type: 'TEXT', ...place, page: 1 });
		expect(await suite.outputOf(add, rows)).toHaveLength(3);
		expect(most).toBe(1);
	});

	test('is passed on where the file cannot be read, which the node says', async () => {
		const document = await suite.document();
		const file = document.items[0]?.id;
		suite.service.fail({ match: `GET /envelope/item/${file}/download`, status: 404 });
		const { hints, error } = await suite.run(addTo(document, 3));
		expect(error).toBeUndefined();
		expect(hints).toEqual([expect.stringMatching(/^The pages of data\.pdf could not be counted/)]);
	});

	test('is refused by Field: Move, and the field stays where it is', async () => {
		const document = await suite.document();
		const { error } = await suite.run(move(document, { page: 3 }));
		expect(error?.message).toBe("'Page' is 3, but data.pdf has 2 pages [item 0]");
		expect(suite.changes()).toEqual([]);
		expect(await suite.outputOf(move(document, { page: 2 }))).toMatchObject([{ page: 2 }]);
	});
});

describe('fields on pages that Documenso measures otherwise', () => {
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
		const ELSEWHERE = 'does not begin at 0, 0';

		test.each([
			['by a size that a page inherits: 1.2 % too low', '', A4, 'inherits its size'],
			['by one that is longer: 4.3 % too low', '', '/MediaBox[0 0 612 1008]', 'inherits its size'],
			['on a cropped page: 13 % too low', `${A4}/CropBox[100 100 500 700]`, '', 'is cropped'],
			['on one that inherits that', A4, '/CropBox[100 100 500 700]', 'is cropped'],
			['on one whose crop box is empty: out of sight', `${A4}/CropBox[0 0 0 0]`, '', 'is cropped'],
			[
				'on a page that begins elsewhere: 10 % too low',
				'/MediaBox[100 100 695 942]',
				'',
				ELSEWHERE,
			],
			['below it', '/MediaBox[-1000 -1000 -405 -158]', '', ELSEWHERE],
			['on one upside down: out of sight', '/MediaBox[0 842 595 0]', '', ELSEWHERE],
			['on a page that inherits its rotation', A4, '/Rotate 90', 'inherits its rotation'],
		])('%s', async (_, page, inherited, reason) => {
			expect(await reasonFor(page, inherited)).toBe(reason);
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

	const ADVICE =
		/^Rewrite the file before this step, for example with: gs .* in\.pdf\. To use it as it is, turn on 'Allow Misplaced Fields'\./;

	describe('A field on a page on which Documenso misplaces it', () => {
		describe.each(creations)('in %s', (_, parameters) => {
			test('is refused before any request', async () => {
				const error = await suite.refused(parameters, [await itemWith({ data: inherited })]);
				expect(error.message).toBe(
					"'Fields > Row 1 > Page' is 1, but Documenso misplaces fields on that page of lease.pdf: it inherits its size [item 0]",
				);
				expect(error.description).toMatch(ADVICE);
			});

			test('is sent if that is allowed', async () => {
				const additionalFields = { allowMisplacedFields: true };
				const item = await itemWith({ data: inherited });
				await suite.outputOf({ ...parameters, additionalFields }, [item], {
					onError: 'continueRegularOutput',
				});
				const [body] = suite.service.calls.map((call) => JSON.stringify(call.body));
				expect(body).toContain('lease.pdf');
				expect(body).not.toContain('allowMisplacedFields');
			});
		});

		test('is refused in JSON too', async () => {
			const item = await itemWith({ data: inherited });
			const { error } = await suite.run({ ...create, ...inJson(1) }, [item]);
			expect(error?.message).toMatch(/fields > Row 1 > page' is 1, but Documenso misplaces fields/);
		});

		test('is refused before anything is created for other items', async () => {
			const whole = await itemWith({ data: pdf(A4) });
			const items = [whole, await itemWith({ data: inherited }), whole];
			const error = await suite.refused(create, items);
			expect(error.message).toMatch(/it inherits its size \[item 1\]$/);
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
			const error = await suite.refused({ ...parameters, ...files }, [item]);
			expect(error.message).toBe(
				"'PDF Contains Placeholders' is on, but Documenso misplaces fields on page 1 of lease.pdf: it inherits its size [item 0]",
			);
			expect(error.description).toMatch(ADVICE);
			const additionalFields = { allowMisplacedFields: true };
			const allowed = await suite.run({ ...parameters, ...files, additionalFields }, [item]);
			expect(allowed.error).toBeUndefined();
		});

		test('may be a placeholder in a file that is added, which the node says', async () => {
			const { id } = await suite.document();
			const item = await itemWith({ data: pdf(A4), more: inherited });
			const add = step('file.add', { envelopeId: id });
			const both = { ...add, binaryPropertyName: 'data, more' };
			const { error, hints } = await suite.run(both, [item]);
			expect(error).toBeUndefined();
			expect(hints).toEqual([
				'Documenso misplaces fields on a page of each of these files, also fields that it makes of text such as {{signature, r1}}. Rewrite the file before this step, for example with: gs -o out.pdf -sDEVICE=pdfwrite -dUseCropBox -dAutoRotatePages=/None in.pdf.<br>lease.pdf: page 1 inherits its size',
			]);
			const whole = await suite.run({ ...add, binaryPropertyName: 'data' }, [item]);
			expect(whole.hints).toEqual([]);
		});

		describe('of a file that replaces the one of a template', () => {
			test('is refused before anything is created', async () => {
				const { error } = await suite.run(useWithFile(), [await itemWith({ data: inherited })]);
				expect(error?.message).toMatch(
					/^'Replace Template Files' has a file in row 1 that does not fit: the template's field ".*" is on page \d, but Documenso misplaces fields on that page of lease\.pdf: it inherits its size \[item 0\]$/,
				);
				expect(error?.description).toMatch(ADVICE);
				expect(suite.documents()).toEqual([]);
			});

			test('is sent if that is allowed', async () => {
				const item = await itemWith({ data: inherited });
				await suite.outputOf(useWithFile({ allowMisplacedFields: true }), [item]);
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

			describe.each([1, 2])('on page %d', (page) => {
				const message = `'Page' is ${page}, but Documenso misplaces fields on that page of lease.pdf: it inherits its size [item 0]`;

				test.each([false, true])(
					'is refused by Field: Add and Move, unless that is allowed: %s',
					async (allowMisplacedFields) => {
						const document = await stored();
						const options = { allowMisplacedFields };
						const expected = allowMisplacedFields ? undefined : message;
						const added = await suite.run(addTo(document, page, { options }));
						expect(added.error?.message).toBe(expected);
						const moved = await suite.run(move(document, { page, positionY: 40 }, { options }));
						expect(moved.error?.message).toBe(expected);
					},
				);
			});
		});
	});
});

describe('An upload at which Documenso fails', () => {
	const failure = (path: string) => ({
		match: `POST ${path}`,
		...refusal('Cannot read properties of undefined', 500),
		times: 9,
	});
	const MESSAGE = 'Documenso failed, and may be unable to read lease.pdf';
	const upload = async () =>
		await itemWith({ data: { content: await pdf('One', 'Two'), name: 'lease.pdf' } });

	test.each<[string, string, IDataObject]>([
		['Document: Create', '/envelope/create', create],
		['Template: Create', '/envelope/create', { ...create, resource: 'template' }],
		['Template: Create Document', '/envelope/use', useWithFile()],
		['File: Add', '/envelope/item/create-many', addFile],
	])('names the file in %s', async (_, path, parameters) => {
		suite.service.fail(failure(path));
		const { error } = await suite.run(parameters, [await upload()]);
		expect(error?.message).toBe(MESSAGE);
		expect(error?.description).toContain('Try again later. If it fails again, rewrite the file');
		expect(error?.description).toContain('Documenso says: Cannot read properties of undefined.');
	});

	test('does not, if a proxy fails or nothing was uploaded', async () => {
		suite.service.fail({ match: 'POST /envelope/create', status: 502, body: '', times: 9 });
		const { error } = await suite.run(create, [await upload()]);
		expect(error?.message).not.toContain('lease.pdf');
		suite.service.fail(failure('/envelope/use'));
		const used = await suite.run({ ...fillFromRow, columns: mapped(tina) });
		expect(used.error?.message).not.toContain('unable to read');
	});
});
