import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { newField, newRecipient } from '../../emulator/envelopes/draft';
import { MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { CHECK, checked, itemsOf, partsOf, type Told } from '../support/check';
import { NODE_TYPE } from '../support/n8n';
import { mapped, boxes, byId, fillFromRow, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });

const contract = (id: string, changes: IDataObject = {}): IDataObject => ({
	...{ ...wholeRow, 'External ID': id },
	...changes,
});

const documentWith = (id: string): Envelope => {
	const found = suite.documents().find(({ externalId }) => externalId === id);
	if (!found) throw new Error(`No document ${id}`);
	return found;
};

async function sent(rows: IDataObject[], parameters: IDataObject = {}) {
	await suite.outputOf({ ...fillFromRow, ...parameters }, itemsOf(rows));
}

const check = async (rows: IDataObject[], parameters: IDataObject = {}) =>
	await checked(suite, rows, parameters);

const verdicts = (told: Told[]) => told.map(({ verdict }) => verdict);

/** The records of answers to these requests are other ones. */
function alter(line: string, change: (records: IDataObject[]) => IDataObject[]) {
	suite.service.intercept(line, async ({ pass }) => {
		const answer = await pass();
		const body = JSON.parse(answer.body) as { data: IDataObject[] };
		const data = change(body.data);
		return { ...answer, body: JSON.stringify({ ...body, data, count: data.length }) };
	});
}

/** What could not be sent: too many recipients, or fields on one spot. */
const DRAFT = { send: false };

const READ = 'POST /envelope/get-many';

describe('a list', () => {
	test('that does not show a new document yet: the process that made it knows it', async () => {
		await sent([contract('RA-1')]);
		alter('GET /envelope', () => []);
		expect(verdicts(await check([contract('RA-1')]))).toEqual(['matches']);
	});

	test('that shows a document which is gone', async () => {
		await sent([contract('RA-1'), contract('RA-2')]);
		suite.service.intercept(READ, async ({ pass }) => {
			suite.service.store.envelopes.delete(documentWith('RA-1').id);
			return await pass();
		});
		const [gone, there] = await check([contract('RA-1'), contract('RA-2')]);
		expect(gone).toMatchObject({ verdict: 'missing', document: null });
		expect(there?.verdict).toBe('matches');
	});

	test('that shows two, of which one is gone', async () => {
		const anyway = { ifExternalIdExists: 'create' };
		await sent([contract('RA-1')], anyway);
		const first = documentWith('RA-1');
		await sent([contract('RA-1')], anyway);
		expect(verdicts(await check([contract('RA-1')]))).toEqual(['duplicate']);
		alter(READ, (records) => records.filter(({ id }) => id !== first.id));
		expect(verdicts(await check([contract('RA-1')]))).toEqual(['matches']);
	});

	test('that was read before a document was cancelled', async () => {
		const anyway = { ifExternalIdExists: 'create' };
		await sent([contract('RA-1')], anyway);
		const first = documentWith('RA-1');
		await sent([contract('RA-1')], anyway);
		alter('GET /envelope', (records) => {
			first.status = 'CANCELLED';
			return records;
		});
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'matches', others: [first.id] });
	});
});

describe('one odd document does not keep the others from being checked', () => {
	const odd: Array<[string, (record: IDataObject) => IDataObject]> = [
		['without fields', ({ fields: _, ...record }) => record],
		['without recipients', ({ recipients: _, ...record }) => record],
		['with null for its fields', (record) => ({ ...record, fields: null })],
		[
			'with settings of a field that nobody knows',
			(record) => ({
				...record,
				fields: (record.fields as IDataObject[]).map((field) => ({
					...field,
					fieldMeta: { values: 7 },
				})),
			}),
		],
		[
			'with a position that is none',
			(record) => ({
				...record,
				fields: (record.fields as IDataObject[]).map((field) => ({ ...field, positionX: 'left' })),
			}),
		],
	];

	test.each(odd)('%s', async (_, change) => {
		await sent([contract('RA-1'), contract('RA-2')]);
		alter(READ, (records) =>
			records.map((record) => (record.externalId === 'RA-1' ? change(record) : record)),
		);
		const [bad, good] = await check([contract('RA-1'), contract('RA-2')]);
		expect(bad).toMatchObject({ verdict: 'cannotCompare', document: { externalId: 'RA-1' } });
		expect(bad?.notCompared[0]?.reason).toMatch(/cannot be read/);
		expect(good?.verdict).toBe('matches');
	});
});

describe('people and fields that look alike', () => {
	test.each(['PARALLEL', 'SEQUENTIAL'] as const)('50 with one address, %s', async (order) => {
		const template = suite.template();
		template.documentMeta.signingOrder = order;
		const signature = template.fields.find(({ type }) => type === 'SIGNATURE');
		if (!signature) throw new Error('No signature');
		for (let index = 0; index < 50; index++) {
			const role = (['SIGNER', 'VIEWER', 'CC'] as const)[index % 3] ?? 'CC';
			const person = { email: 'office@example.com', name: `Office ${index}`, role };
			const signingOrder = order === 'SEQUENTIAL' ? index + 10 : null;
			const recipient = newRecipient(partsOf(suite), { ...person, signingOrder });
			template.recipients.push(recipient);
			if (role !== 'SIGNER') continue;
			const { id: _, secondaryId: __, ...place } = signature;
			const size = { positionX: 90, positionY: index, width: 1, height: 0.5 };
			const own = { ...place, ...size, recipientId: recipient.id };
			template.fields.push(newField(partsOf(suite), own));
		}
		await sent([contract('RA-1')], DRAFT);
		const document = documentWith('RA-1');
		// In no useful order.
		document.recipients.reverse();
		document.fields.reverse();
		expect(await check([contract('RA-1')], DRAFT)).toMatchObject([
			{ verdict: 'matches', differences: [], notCompared: [] },
		]);
		const given = { 'Office 7 email': 'other@example.com' };
		const [told] = await check([contract('RA-1', given)], DRAFT);
		expect(told?.differences).toMatchObject([{ name: 'Office 7 email' }]);
	});

	test('many fields on one spot cannot be told apart', async () => {
		const rent = suite.field('rent');
		for (const label of ['Costs', 'Total']) {
			const { id: _, secondaryId: __, ...place } = rent;
			const fieldMeta = { ...rent.fieldMeta, label } as typeof rent.fieldMeta;
			suite.template().fields.push(newField(partsOf(suite), { ...place, fieldMeta }));
		}
		const row = contract('RA-1', { Costs: 5, Total: 905 });
		await sent([row], DRAFT);
		const [told] = await check([{ ...row, Total: 906 }], DRAFT);
		expect(told).toMatchObject({ verdict: 'cannotCompare', differences: [] });
		expect(told?.notCompared.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['Rent', 'Costs', 'Total']) as string[],
		);
	});

	test('without signing orders', async () => {
		for (const one of suite.template().recipients) one.signingOrder = null;
		await sent([contract('RA-1')]);
		expect(verdicts(await check([contract('RA-1')]))).toEqual(['matches']);
	});

	test('choices that are numbers, in a document of version 1', async () => {
		suite.template().internalVersion = 1;
		suite.become('payment', 'RADIO', { label: 'Payment', values: boxes('2', '3', '1') });
		await sent([contract('RA-1', { Payment: '2' })]);
		// The signing page of version 1 stores the option itself.
		const payment = documentWith('RA-1').fields.find(({ type }) => type === 'RADIO');
		Object.assign(payment ?? {}, { customText: '2', inserted: true });
		expect(verdicts(await check([contract('RA-1', { Payment: '2' })]))).toEqual(['matches']);
		const [told] = await check([contract('RA-1', { Payment: '1' })]);
		expect(told?.differences).toMatchObject([{ name: 'Payment', row: '1', document: '2' }]);
	});
});

describe('rows', () => {
	test('that cannot be used have a document nevertheless', async () => {
		await sent([contract('RA-1'), contract('RA-2'), contract('RA-3')]);
		const rows = [contract(' RA-2 ', { Rent: 'a lot' }), contract('RA-1')];
		const told = await check(rows, { options: { alsoWithoutRow: true } });
		expect(verdicts(told)).toEqual(['refused', 'matches', 'noRow']);
		expect(told[2]?.document).toMatchObject({ externalId: 'RA-3' });
	});

	test('that cannot be used have it also where their ID is put together', async () => {
		await sent([contract('L-1'), contract('L-2')]);
		const names = ['Tenant email', 'Tenant name', 'Address', 'Rent', 'Start date', 'Payment'];
		const columns = mapped({
			'External ID': '=L-{{ $json.id }}',
			...Object.fromEntries(names.map((name) => [name, `={{ $json[${JSON.stringify(name)}] }}`])),
		});
		const { 'External ID': _, ...cells } = contract('L-1');
		const rows = [
			{ ...cells, id: 1 },
			{ ...cells, id: 2, Rent: 'a lot' },
		];
		const told = await check(rows, { columns, options: { alsoWithoutRow: true } });
		expect(verdicts(told)).toEqual(['matches', 'refused']);
	});

	test('of several templates, chosen by an expression', async () => {
		const nda = {
			...{ 'External ID': 'NDA-1', 'Signer email': 'sid@example.com', 'Signer name': 'Sid' },
			...{ Company: 'Acme', template: MUTUAL_NDA.id },
		};
		const lease = contract('RA-1', { template: RENTAL_AGREEMENT.id });
		const moved = contract('RA-2', { template: RENTAL_AGREEMENT.id });
		const parameters = {
			templateId: byId('={{ $json.template }}'),
			additionalFields: { ifFieldStaysBlank: 'leave' },
		};
		await sent([nda, lease, moved], parameters);
		documentWith('RA-2').templateId =
			suite.service.store.envelopes.get(MUTUAL_NDA.id)?.legacyId ?? 0;
		const told = await check([lease, nda, moved], {
			...parameters,
			options: { alsoWithoutRow: true },
		});
		expect(verdicts(told)).toEqual(['matches', 'matches', 'different']);
		expect(told[2]?.differences).toMatchObject([{ name: 'Template' }]);
	});

	test('of a template of the organisation', async () => {
		suite.template().templateType = 'ORGANISATION';
		await sent([contract('RA-1')]);
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'matches' });
		expect(told?.document?.url).toMatch(/\/documents\/envelope_/);
	});
});

describe('failures', () => {
	const FAIL = { match: READ, status: 400, body: { message: 'Broken' } };

	test('end the run, or give an error for each item', async () => {
		await sent([contract('RA-1'), contract('RA-2')]);
		const rows = itemsOf([contract('RA-1'), contract('RA-2')]);
		suite.service.fail(FAIL);
		expect((await suite.run(CHECK, rows)).error?.message).toContain('Broken');
		suite.service.fail(FAIL);
		const { items: output } = await suite.run(CHECK, rows, { onError: 'continueRegularOutput' });
		expect(output).toHaveLength(2);
		for (const { json } of output) expect(json.error).toContain('Broken');
	});

	test('of one audit log leave each row its verdict', async () => {
		await sent([contract('RA-1'), contract('RA-2'), contract('RA-3')]);
		await suite.outputOf({
			...{ resource: 'document', operation: 'cancel', documentId: byId(documentWith('RA-3').id) },
		});
		suite.service.intercept(/audit-log/, () => ({ status: 404, body: '' }));
		const told = await check(
			[contract('RA-1', { Rent: '5' }), contract('RA-2'), contract('RA-3')],
			{
				options: { saySinceWhen: true },
			},
		);
		expect(verdicts(told)).toEqual(['different', 'matches', 'ended']);
		expect(told[0]?.differences).toMatchObject([{ name: 'Rent', cause: 'sent' }]);
		expect(told[0]?.notCompared).toMatchObject([{ name: 'Audit log' }]);
	});
});

describe('no row is missed', () => {
	const OTHERS = { options: { alsoWithoutRow: true } };

	test('by a document that was cancelled', async () => {
		await sent([contract('RA-1'), contract('RA-2')]);
		const documentId = byId(documentWith('RA-2').id);
		await suite.outputOf({ resource: 'document', operation: 'cancel', documentId });
		expect(verdicts(await check([contract('RA-1')], OTHERS))).toEqual(['matches']);
	});

	test('by a document of a test', async () => {
		await sent([contract('RA-1')]);
		const options = { manualExecutionsSendTo: 'me@example.com' };
		const parameters = { ...fillFromRow, options };
		const setup = { mode: 'manual' } as const;
		const { error } = await suite.run(parameters, itemsOf([contract('RA-1')]), setup);
		expect(error).toBeUndefined();
		expect(suite.documents()).toHaveLength(2);
		expect(verdicts(await check([contract('RA-1')], OTHERS))).toEqual(['matches']);
	});

	test('a refused row with a blank cell is not the row of documents without an External ID', async () => {
		await sent([contract('')], { ifExternalIdExists: 'create' });
		Object.assign(suite.documents()[0] ?? {}, { externalId: null });
		const refused = contract('', { 'Tenant email': 'nonsense' });
		const told = await check([refused, contract('RA-2')], OTHERS);
		expect(verdicts(told)).toEqual(['refused', 'missing', 'noRow']);
	});
});

test('as a tool, it shows a model no links and no whole addresses', async () => {
	const rowOf = (number: number, changes: IDataObject = {}) =>
		contract(`RA-${number}`, { 'Anna Landlord email': 'landlord@example.com', ...changes });
	await sent([1, 2, 3, 4].map((number) => rowOf(number)));
	const [first] = documentWith('RA-2').recipients;
	await suite.service.reject(first?.token ?? '', 'See https://app.test/sign/abcdefgh12345');
	await suite.service.settled();
	for (const one of documentWith('RA-3').recipients) one.expiresAt = new Date(0);
	const other = { 'Tenant email': 'other@example.com', 'Anna Landlord email': 'new@example.com' };
	const rows = [rowOf(1, other), rowOf(2), rowOf(3)];
	const parameters = { ...CHECK, options: { alsoWithoutRow: true, saySinceWhen: true } };
	const { items: output } = await suite.run(parameters, itemsOf(rows), {
		type: `${NODE_TYPE}Tool`,
	});
	const told = output.map(({ json }) => json.documensoCheck);
	expect(verdicts(told as Told[])).toEqual(['different', 'ended', 'stuck', 'noRow']);
	const text = JSON.stringify(told);
	expect(text).not.toMatch(/token"|token=|signingUrl|abcdefgh12345/i);
	for (const address of text.match(/[^\s"<>:(]+@[\w.-]+/g) ?? []) expect(address).toMatch(/^.…@/u);
});
