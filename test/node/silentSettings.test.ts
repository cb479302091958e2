import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { refusal } from '../support/refusal';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines, sentTo } from '../support/service';
import { boxes, byId, fillFromRow, row, signer, useService, USE } from '../support/suite';

// Documenso takes all of these without complaint, and they have no effect, or one that nobody wants.

const suite = useService({ seed: 'demo' });
const changed = () => lines(suite.service).filter((line) => line.startsWith('POST'));

const withPdf = async () => await itemWith({ data: { content: await pdf('A lease') } });

async function addField(parameters: IDataObject) {
	const { id, recipients } = await suite.document('create');
	suite.service.calls.length = 0;
	return await suite.run({
		resource: 'field',
		operation: 'add',
		envelopeId: byId(id),
		recipientId: byId(recipients[0]?.id),
		...{ page: 1, positionX: 10, positionY: 10, width: 30, height: 6 },
		...parameters,
	});
}

const inJson = (type: string, settings: object) => ({
	type,
	specifySettings: 'json',
	settingsJson: JSON.stringify(settings),
});

async function createWith(field: object) {
	const fields = [{ page: 1, positionX: 10, positionY: 10, width: 30, height: 6, ...field }];
	return await suite.run(
		{
			resource: 'document',
			operation: 'create',
			title: 'Lease',
			specifyRecipients: 'json',
			recipientsJson: JSON.stringify([{ ...signer, fields }]),
		},
		[await withPdf()],
	);
}

describe('settings of a field in JSON', () => {
	test.each([
		[{ requird: true }, "'Settings (JSON) > requird' is not a setting that Documenso knows"],
		[{ font_size: 9 }, "'Settings (JSON) > font_size' is not a setting that Documenso knows"],
		[{ minValue: 9 }, "'Settings (JSON) > minValue' is not for fields of the type TEXT"],
	])('are refused with the wrong name in %j', async (settings, why) => {
		const { error } = await addField(inJson('TEXT', settings));
		expect(error?.message).toBe(`${why} [item 0]`);
		expect(error?.description).toContain('characterLimit');
		expect(changed()).toEqual([]);
	});

	test('say what was meant', async () => {
		const { error } = await addField(inJson('TEXT', { requird: true }));
		expect(error?.description).toContain('Did you mean required?');
	});

	test('may be ones that Documenso has added since, which a hint tells', async () => {
		const { error, hints } = await addField(inJson('TEXT', { label: 'City', shade: '<b>' }));
		expect(error).toBeUndefined();
		expect(hints).toEqual([expect.stringContaining('shade of a text field is unknown')]);
	});

	test('are checked in the fields of new documents, too', async () => {
		const fieldMeta = { type: 'text', requird: true };
		const { error } = await createWith({ type: 'TEXT', fieldMeta });
		expect(error?.message).toContain('fieldMeta > requird');
		expect(changed()).toEqual([]);
		const { hints } = await createWith({ type: 'TEXT', fieldMeta: { type: 'text', shade: 1 } });
		expect(hints).toEqual([expect.stringContaining('shade of a text field is unknown')]);
	});
});

describe('a rule for more boxes than there are', () => {
	const rule = { validationRule: 'Select at least', validationLength: 3 };

	test('is refused for a new field', async () => {
		const settings = { ...rule, choices: 'Garage, Cellar' };
		const { error } = await addField({ type: 'CHECKBOX', settings });
		expect(error?.message).toBe(
			"'Settings > Rule Number' is 3, but the field has 2 choices [item 0]",
		);
		expect(changed()).toEqual([]);
	});

	test('is refused for a field that has fewer already', async () => {
		const { items } = await addField({ type: 'CHECKBOX', settings: { choices: 'Garage, Cellar' } });
		const update = { resource: 'field', operation: 'update', fieldId: byId(items[0]?.json.id) };
		const { error } = await suite.run({ ...update, settings: rule });
		expect(error?.message).toContain("'Settings > Rule Number' is 3, but the field has 2 choices");
	});

	test('is refused in the JSON of a new document', async () => {
		const fieldMeta = { type: 'checkbox', ...rule, values: boxes('Garage') };
		const { error } = await createWith({ type: 'CHECKBOX', fieldMeta });
		expect(error?.message).toContain('is 3, but the field has 1 choice');
		expect(changed()).toEqual([]);
	});

	test('may be the most that can be chosen', async () => {
		const settings = { ...rule, validationRule: 'Select at most', choices: 'Garage' };
		expect((await addField({ type: 'CHECKBOX', settings })).error).toBeUndefined();
	});
});

describe('a field beyond its page', () => {
	test('is not added', async () => {
		const { error } = await addField({ type: 'SIGNATURE', positionX: 80 });
		expect(error?.message).toBe(
			"'Left (%)' plus the width of 30 is 110 percent, beyond the page [item 0]",
		);
		expect(changed()).toEqual([]);
	});

	test('is not moved there', async () => {
		const { items } = await addField({ type: 'SIGNATURE' });
		suite.service.calls.length = 0;
		const move = { resource: 'field', operation: 'move', fieldId: byId(items[0]?.json.id) };
		const { error } = await suite.run({ ...move, updateFields: { positionY: 97 } });
		expect(error?.message).toContain("'Top (%)' plus the height of 6 is 103 percent");
		expect(changed()).toEqual([]);
	});
});

describe('Selected Fields', () => {
	const get = { resource: 'template', operation: 'get', output: 'selected' };
	const templateId = byId(RENTAL_AGREEMENT.id);

	test('say which names no record has, and which ones there are', async () => {
		const { hints } = await suite.run({ ...get, templateId, outputFields: 'id, statsu' });
		expect(hints).toEqual([expect.stringMatching(/no record of this run has: statsu\..*status/)]);
	});

	test('that the record has are no mistake', async () => {
		const { id } = await suite.document('create');
		const setup = { ...get, resource: 'document', operation: 'get', documentId: byId(id) };
		expect((await suite.run({ ...setup, outputFields: 'id, title' })).hints).toEqual([]);
	});
});

describe('Owner Email', () => {
	test('is told about if somebody else owns the document', async () => {
		const additionalFields = { delegatedDocumentOwner: 'chief@example.com' };
		const { error, hints } = await suite.run(
			{ resource: 'document', operation: 'create', title: 'Lease', additionalFields },
			[await withPdf(), await withPdf(), await withPdf()],
		);
		expect(error).toBeUndefined();
		expect(hints).toEqual([expect.stringContaining('not chief@example.com')]);
		expect(hints[0]).toContain('Delegate Document Ownership');
		const reads = lines(suite.service).filter((line) => line.startsWith('GET /envelope/'));
		// One for the owner, and one for the team in the addresses.
		expect(reads).toHaveLength(2);
	});
});

describe('Reminders of a document from a template', () => {
	const reminders = {
		...{ sendAfterAmount: 3, sendAfterUnit: 'day' },
		...{ repeatEveryAmount: 0, repeatEveryUnit: 'day' },
	};
	const create = { ...fillFromRow, additionalFields: { reminderSettings: { reminders } } };

	test('are set on the document, because Documenso takes none while it uses a template', async () => {
		const { items, error } = await suite.run(create, [row()]);
		expect(error).toBeUndefined();
		expect(sentTo(suite.service, USE)).not.toHaveProperty('override.reminderSettings');
		expect(sentTo(suite.service, 'POST /envelope/update')).toEqual({
			envelopeId: items[0]?.json.id,
			meta: {
				reminderSettings: {
					sendAfter: { amount: 3, unit: 'day' },
					repeatEvery: { disabled: true },
				},
			},
		});
	});

	test('that cannot be set are told, and the document stays', async () => {
		suite.service.fail({ match: 'POST /envelope/update', ...refusal('No') });
		const { items, error, hints } = await suite.run(create, [row()]);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(hints.at(-1)).toMatch(/could not be set.*envelope_\w+: No/);
	});
});

describe('Direct Link: Create', () => {
	const create = { resource: 'directLink', operation: 'create' };
	const templateId = byId(RENTAL_AGREEMENT.id);

	test('says that the signer whom Documenso adds needs a signature field', async () => {
		const { hints } = await suite.run({ ...create, templateId });
		expect(hints).toEqual([expect.stringContaining('a signer without a signature field')]);
	});

	test('has nothing to say about a recipient of the template', async () => {
		const recipientId = byId(RENTAL_AGREEMENT.tenantId);
		expect((await suite.run({ ...create, templateId, recipientId })).hints).toEqual([]);
	});
});
