import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { documenso, execute, itemWith, loadOptionsContext } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines, sentTo } from '../support/service';
import { byId, contract, mapped, fillFromRow as use, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const { resourceMapping } = new Documenso().methods;
const tina = { 'Tenant email': 'tina@example.com' };
const USE = 'POST /envelope/use';
const calls = (line: string) => lines(suite.service).filter((one) => one === line);
const documents = () => suite.service.store.documents;

function field(name: keyof typeof RENTAL_AGREEMENT.fields) {
	const found = suite.template().fields.find(({ id }) => id === RENTAL_AGREEMENT.fields[name]);
	if (!found) throw new Error(`The template has lost its field ${name}`);
	return found;
}
function become(name: keyof typeof RENTAL_AGREEMENT.fields, type: string, meta: object) {
	Object.assign(field(name), { type, fieldMeta: { type: type.toLowerCase(), ...meta } });
}
async function filled(row: IDataObject, changes: IDataObject = {}) {
	suite.service.calls.length = 0;
	const { error } = await suite.run({ ...use, ...changes }, [{ json: { ...tina, ...row } }]);
	if (error) throw error;
	return sentTo(suite.service, USE).prefillFields as Array<{ id: number; value: unknown }>;
}
describe('values at the edges', () => {
	test('order 0 stands for the order of the template, also where there is none', async () => {
		await filled({ 'Tenant signing order': 0 });
		expect(sentTo(suite.service, USE).recipients).toMatchObject([{ signingOrder: 1 }]);
	});

	test('a template that cannot be sent can be drafted', async () => {
		const template = suite.template();
		template.fields = template.fields.filter(({ type }) => type !== 'SIGNATURE');
		await filled({}, { send: false });
		expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
	});

	test('the External ID column counts with either mapper, and not where values are JSON', async () => {
		await filled({ 'External ID': 'RA-9' }, { templateRecipients: mapped(tina) });
		expect(sentTo(suite.service, USE).externalId).toBe('RA-9');
		become('address', 'TEXT', { label: 'External ID' });
		await filled(
			{},
			{
				templateRecipients: mapped(tina),
				specifyPrefill: 'json',
				prefillJson: '{"External ID": "RA-9"}',
			},
		);
		expect(sentTo(suite.service, USE).externalId).toMatch(/^n8n:/);
	});
});

describe('after a lost answer', () => {
	const row = (changes: IDataObject = {}) => ({ json: { ...tina, ...changes } });
	const withId = (changes: IDataObject = {}) => ({
		...use,
		additionalFields: { externalId: 'RA-1', ...changes },
	});
	const blind = (times: number) =>
		suite.service.fail({ match: 'GET /envelope', times, status: 400, body: { message: 'Down' } });

	test('what another row has made is not taken, though ID and people are the same', async () => {
		suite.service.fail({ match: USE, delayMs: 0 });
		suite.service.fail({ match: USE, delayMs: 200, cut: 'before' });
		const { items } = await suite.run(withId(), [row(), row()], {
			onError: 'continueRegularOutput',
		});
		expect(documents()).toHaveLength(1);
		expect(items[1]?.json.error).toMatch(/^The connection/);
	}, 20_000);

	test('a document for other people is not taken', async () => {
		await suite.run(withId(), [row({ 'Tenant email': 'other@example.com' })]);
		suite.service.fail({ match: USE, cut: 'before' });
		expect((await suite.run(withId(), [row()])).error?.message).toMatch(/^The connection/);
	}, 20_000);

	test('two documents that fit are named, and none is taken', async () => {
		suite.service.fail({ match: USE, cut: 'after', times: 2 });
		const { error } = await suite.run(withId(), [row(), row()]);
		expect(error?.message).toMatch(
			/^'External ID' is "RA-1", and it cannot be told which of these documents is this item's: /,
		);
		expect(error?.context?.details).toMatchObject({ externalId: 'RA-1' });
	});

	test('nor by a retry', async () => {
		suite.service.fail({ match: USE, cut: 'after', times: 2 });
		blind(6);
		const { error } = await suite.run(withId(), [row(), row()], { maxTries: 2 });
		expect(error?.message).toMatch(/cannot be told which of these documents/);
		expect(documents()).toHaveLength(2);
	}, 20_000);

	test('people are found in any case, and one look is enough', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		const { error } = await suite.run(use, [row({ 'Tenant email': 'TINA@Example.com' })]);
		expect(error).toBeUndefined();
		expect(calls('GET /envelope')).toHaveLength(1);
		expect(calls('POST /envelope/distribute')).toHaveLength(0);
	});

	test('a draft that is to be one stays one', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		await suite.run({ ...use, send: false }, [row()]);
		expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
	});

	test('a retry looks for the external ID of the first try', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		blind(3);
		const changing = { externalId: '={{ "RA-" + Math.random() }}' };
		const { error } = await suite.run(withId(changing), [row()], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(1);
	}, 20_000);

	test.each(['skip', 'fail'])(
		'%s: a retry goes on with what is its own',
		async (policy) => {
			suite.service.fail({ match: USE, cut: 'after' });
			const [folderSearch, looks] = [1, 3];
			let left = folderSearch;
			suite.service.fail({ match: 'GET /envelope', delayMs: 0, times: left });
			left = looks;
			blind(left);
			const { items, error } = await suite.run(withId({ ifExternalIdExists: policy }), [row()], {
				maxTries: 2,
			});
			expect(error).toBeUndefined();
			expect(documents()).toHaveLength(1);
			expect(items[0]?.json).not.toHaveProperty('alreadyExisted');
		},
		20_000,
	);

	test('nobody claims that nothing was created while the service cannot be asked', async () => {
		suite.service.fail({ match: USE, status: 500, body: { message: 'Oops' } });
		blind(3);
		const { error } = await suite.run(use, [row()]);
		expect(error?.message).toBe('Oops');
		expect(error?.description).toContain('may have created it, or still be at work on it');
	});

	test('nor after a failed send whose document is not found', async () => {
		const appError = { code: 'DOCUMENT_SEND_FAILED', message: 'x' };
		suite.service.fail({ match: USE, status: 400, body: { message: 'x', data: { appError } } });
		const { error } = await suite.run(use, [row()]);
		expect(error?.description).toContain('may have created it, or still be at work on it');
	});

	test('after an error of the service’s own one look is enough, also for the retry', async () => {
		suite.service.fail({ match: USE, status: 500, body: { message: 'Oops' } });
		const { error } = await suite.run(use, [row()], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(calls('GET /envelope')).toHaveLength(1);
	});

	test('after a refusal the retry does not look at all', async () => {
		suite.service.fail({ match: USE, status: 400, body: { message: 'Busy' } });
		await suite.run(use, [row()], { maxTries: 2 });
		expect(calls('GET /envelope')).toHaveLength(0);
		expect(documents()).toHaveLength(1);
	});
});

describe('retries', () => {
	test('a document that is known is not searched for', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		const line = 'POST /envelope/distribute';
		suite.service.fail({ match: line, status: 400, body: { message: 'Busy' } });
		const parameters = { resource: 'document', operation: 'createAndSend', ...contract };
		await suite.run(parameters, [item], { maxTries: 2 });
		expect(calls('GET /envelope')).toHaveLength(0);
	});

	const deleting = {
		resource: 'document',
		operation: 'createAndSend',
		...contract,
		additionalFields: { ifSendingFails: 'delete' },
	};

	test('after a deleted draft another is made and sent', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		const line = 'POST /envelope/distribute';
		suite.service.fail({ match: line, status: 400, body: { message: 'Busy' } });
		const { error } = await suite.run(deleting, [item], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(documents()).toMatchObject([{ status: 'PENDING' }]);
	});

	test('what was sent in spite of an error is not deleted', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		const body = { message: 'Busy' };
		suite.service.fail({
			match: 'POST /envelope/distribute',
			status: 400,
			takesEffect: true,
			body,
		});
		await suite.run(deleting, [item]);
		expect(documents()).toMatchObject([{ status: 'PENDING' }]);
		expect(calls('POST /envelope/delete')).toHaveLength(0);
	});

	test('the next turn of a loop creates anew what the turn before could make, when that failed in part', async () => {
		suite.service.fail({ match: USE, status: 400, body: { message: 'Busy' } });
		const node = documenso(use, { onError: 'continueRegularOutput' });
		const rows = [{ json: tina }, { json: { 'Tenant email': 'b@example.com' } }];
		await execute(credentialFor(suite.service), [node], rows, 2);
		expect(documents()).toHaveLength(3);
	});

	test('nothing is left in the execution’s data once all is done', async () => {
		const node = documenso(use);
		const { data } = await execute(credentialFor(suite.service), [node], [{ json: tina }]);
		expect(JSON.stringify(data.executionData?.contextData)).not.toContain('envelope_');
	});

	test('what is done is not checked again', async () => {
		suite.service.fail({ match: USE, delayMs: 0 });
		suite.service.fail({ match: USE, status: 400, body: { message: 'Busy' } });
		const timer = setInterval(() => {
			if (documents().length > 0) field('rent').type = 'DATE';
		}, 1);
		const rows = ['a', 'b', 'c'].map((who) => ({
			json: { 'Tenant email': `${who}@example.com`, Rent: 5 },
		}));
		const { error } = await suite.run(use, rows, { maxTries: 2 });
		clearInterval(timer);
		expect(error?.message).not.toMatch(/^3 of 3/);
	});

	test('each item is planned once', async () => {
		const additionalFields = { externalId: '={{ $json.id }}', ifExternalIdExists: 'skip' };
		const rows = ['A', 'B'].map((id) => ({ json: { ...tina, id } }));
		await suite.run({ ...use, additionalFields }, rows);
		expect(calls('GET /envelope')).toHaveLength(2);
	});

	test('rows that share an ID fail with the first whose document could not be made', async () => {
		suite.service.fail({ match: USE, status: 400, body: { message: 'Busy' } });
		const additionalFields = { externalId: 'A', ifExternalIdExists: 'skip' };
		const { items } = await suite.run(
			{ ...use, additionalFields },
			[{ json: tina }, { json: tina }],
			{
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json }) => json.error)).toEqual([
			'Busy',
			`'External ID' is "A". Item 0 has the same External ID, and its document could not be created [item 1]`,
		]);
	});
});

describe('more of templates', () => {
	test('who is given a name alone keeps the email of the template, and 255 characters are a name', async () => {
		await filled({ 'Anna Landlord name': 'x'.repeat(255) });
		expect(sentTo(suite.service, USE).recipients).toMatchObject([
			{ email: 'tina@example.com' },
			{ email: 'landlord@example.com' },
		]);
	});

	test('the document is put into the chosen folder, and found there after a lost answer', async () => {
		const [folder] = await suite.outputOf({
			resource: 'folder',
			operation: 'create',
			name: 'Deals',
		});
		suite.service.fail({ match: USE, cut: 'after' });
		const additionalFields = { folderId: folder?.id };
		const { error } = await suite.run({ ...use, additionalFields }, [{ json: tina }]);
		expect(error).toBeUndefined();
		expect(documents()).toMatchObject([{ folderId: folder?.id }]);
	});

	test('placeholders of texts and numbers are kept, those of choices are not sent', async () => {
		become('address', 'TEXT', { label: 'Address', placeholder: 'Street' });
		become('payment', 'DROPDOWN', { label: 'Pay', placeholder: 'x', values: [{ value: 'Card' }] });
		expect(await filled({ Address: 'A', Pay: 'Card' })).toEqual([
			expect.objectContaining({ placeholder: 'Street' }),
			expect.not.objectContaining({ placeholder: 'x' }),
		]);
	});

	test('the editor asks for numbers where an order is meant, and for a template before all', async () => {
		const context = (changes: IDataObject) =>
			loadOptionsContext(credentialFor(suite.service), { ...use, ...changes });
		const { fields } = await resourceMapping.getTemplateRecipients.call(context({}));
		expect(fields.map(({ type }) => type)).toEqual(
			expect.arrayContaining(['string', 'string', 'number']),
		);
		expect(
			(await resourceMapping.getTemplateFields.call(context({ templateId: byId('') }))).fields,
		).toEqual([]);
		const { templateId: _, ...rest } = use;
		const old = { ...rest, resource: 'templateDeprecated', templateNumber: 987 };
		await expect(
			resourceMapping.getTemplateFields.call(loadOptionsContext(credentialFor(suite.service), old)),
		).rejects.toThrow('There is no template 987');
	});

	test('a file name that the template has twice is refused', async () => {
		const { items } = suite.template();
		const [first] = items;
		if (first) items.push({ ...first, id: 'envelope_item_annexannexannexx', order: 2 });
		const item = await itemWith({ a: { content: await pdf() } }, tina);
		const replacedFiles = { file: [{ envelopeItemId: first?.title, property: 'a' }] };
		const { error } = await suite.run({ ...use, replacedFiles }, [item]);
		expect(error?.message).toContain('is the name of several files');
	});
});

describe('more of external IDs', () => {
	const withId = (externalId: string, changes: IDataObject = {}) => ({
		...use,
		additionalFields: { externalId, ...changes },
	});

	test('a lost document is found only under the very same ID', async () => {
		await suite.run(withId('RA-10'), [{ json: tina }]);
		suite.service.fail({ match: USE, cut: 'before' });
		expect((await suite.run(withId('RA-1'), [{ json: tina }])).error).toBeDefined();
	}, 20_000);

	test('Skip finds a document behind a hundred others that look alike, and takes no template for it', async () => {
		await suite.run(withId('RA-1'), [{ json: tina }]);
		suite.template().externalId = 'RA-1';
		const rows = Array.from({ length: 101 }, (_, index) => ({
			json: { ...tina, id: `RA-1${index}` },
		}));
		await suite.run(withId('={{ $json.id }}'), rows);
		const skip = { ifExternalIdExists: 'skip' };
		const { items } = await suite.run(withId('RA-1', skip), [{ json: tina }]);
		expect(items[0]?.json).toMatchObject({ alreadyExisted: true });
		suite.template().externalId = 'T-1';
		const fresh = await suite.run(withId('T-1', skip), [{ json: tina }]);
		expect(fresh.error).toBeUndefined();
		expect(fresh.items[0]?.json).not.toHaveProperty('alreadyExisted');
	}, 60_000);

	test('the ID of the template is no ID of the row', async () => {
		suite.template().externalId = 'T-1';
		const { error } = await suite.run(
			{ ...use, additionalFields: { ifExternalIdExists: 'skip' } },
			[{ json: tina }],
		);
		expect(error?.message).toMatch(/^'External ID' is missing/);
	});
});

describe('more of errors', () => {
	test('items are listed in their order, and each advice once', async () => {
		const slow = { ...suite.template(), id: 'envelope_slowslowslowslow' };
		suite.service.store.envelopes.set(slow.id, slow);
		suite.service.fail({ match: `GET /envelope/${slow.id}`, delayMs: 200 });
		const rows = [
			{ ...tina, id: RENTAL_AGREEMENT.id },
			{ id: slow.id },
			{ id: RENTAL_AGREEMENT.id },
		].map((json) => ({ json }));
		const { error } = await suite.run({ ...use, templateId: byId('={{ $json.id }}') }, rows);
		const text = error?.description ?? '';
		expect(text).toMatch(/Item 1: .*Item 2: /s);
		expect(text.split('Fill it in')).toHaveLength(2);
	});

	test('of a single item nothing is said about others', async () => {
		const { error } = await suite.run(use, [{ json: { ...tina, Rent: 'much' } }]);
		expect(error?.description ?? '').not.toContain('any item');
	});

	test('an expression that fails has the item it failed for', async () => {
		const prefillFields = mapped({ Address: "={{ $json.n ? $('Nope').item.json.x : 'A' }}" });
		const rows = [{ json: { ...tina, n: 0 } }, { json: { ...tina, n: 1 } }];
		const { error } = await suite.run({ ...use, prefillFields }, rows);
		expect(error?.context?.itemIndex).toBe(1);
	});

	test('what is not repeated is explained', async () => {
		const line = 'POST /folder/create';
		suite.service.fail({ match: line, cut: 'after' });
		const folder = { resource: 'folder', operation: 'create', name: 'Deals' };
		const { error } = await suite.run(folder, [{ json: {} }], { maxTries: 2 });
		expect(error?.description).toMatch(/^Documenso may have done it, and would do it twice/);
	});

	test('an answer 408 tells nothing about what became of the request', async () => {
		const body = { message: 'Timeout' };
		suite.service.fail({ match: USE, status: 408, takesEffect: true, body });
		const { error } = await suite.run(use, [{ json: tina }]);
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(1);
	});
});
