import type { IDataObject, INodeExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { hurry } from '../support/hurry';
import { documenso, execute, itemWith, retryExecution } from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { credentialFor, lines } from '../support/service';
import {
	byId,
	fillFromRow,
	itemWithPdf,
	mapped,
	step,
	tenants,
	USE,
	useService,
	wholeRow,
} from '../support/suite';

hurry();

const suite = useService({ seed: 'demo' });

const PREVIEW = { ...fillFromRow, operation: 'previewDocument' };

/** Creates what was previewed, with the preview's output as its input. */
const CREATE = {
	...PREVIEW,
	operation: 'createDocument',
	options: { onlyAsPreviewed: '={{ $json.documensoPreview.digest }}' },
};

const row = wholeRow;

const items = (...rows: IDataObject[]) => rows.map((json) => ({ json }));

interface Shown extends IDataObject {
	action: string;
	faults: IDataObject[];
	digest: string;
	existing: IDataObject | null;
	fields: IDataObject[];
	recipients: IDataObject[];
}

async function preview(rows: IDataObject[], parameters: IDataObject = {}) {
	const output = await suite.outputOf({ ...PREVIEW, ...parameters }, items(...rows));
	return output.map(({ documensoPreview }) => documensoPreview as Shown);
}

const settings = (additionalFields: IDataObject) => ({ additionalFields });

describe('a preview', () => {
	test('shows what would be sent, to whom, and who fills in each field, and creates nothing', async () => {
		const [shown] = await preview([row]);
		expect(shown).toMatchObject({
			action: 'send',
			faults: [],
			title: 'Rental agreement',
			externalId: null,
			existing: null,
			recipients: [
				{ email: 'tina@example.com', name: 'Tina', role: 'SIGNER' },
				{ email: 'landlord@example.com', name: 'Anna Landlord' },
			],
		});
		const fields = shown?.fields.map(({ name, value, filledBy }) => [name, value, filledBy]);
		expect(fields).toContainEqual(['Rent', '900', 'you']);
		expect(fields).toContainEqual(['Payment', 'Card', 'you']);
		expect(fields).toContainEqual(['Start date', '2027-02-01', 'you']);
		expect(fields?.filter(([, , filledBy]) => filledBy === 'recipient')).toHaveLength(4);
		expect(suite.documents()).toEqual([]);
	});

	test('tells what the template fills in itself', async () => {
		suite.become('address', 'TEXT', { label: 'Address', text: '2 Quay Street' });
		const { Address: _address, ...others } = row;
		const [shown] = await preview([others]);
		expect(shown?.fields.find(({ name }) => name === 'Address')).toMatchObject({
			value: '2 Quay Street',
			filledBy: 'template',
		});
	});

	test('says of a wrong row what is wrong, and previews the others', async () => {
		const { Rent, ...others } = row;
		const [good, wrong] = await preview([row, { ...others, Rnt: Rent, Payment: 'Cash' }]);
		expect(good?.action).toBe('send');
		expect(wrong?.action).toBe('refuse');
		expect(wrong?.faults.map(({ column }) => column)).toEqual(['Payment', 'Rnt']);
		expect(wrong?.faults[1]).toMatchObject({
			message: `'Rnt' (did you mean "Rent"?) matches nothing in the template`,
			advice: expect.stringContaining('Rename the column') as string,
		});
		expect(wrong?.digest).toBeUndefined();
	});

	test('says of an input that cannot be read, and of a template that does not exist, what is wrong', async () => {
		const rows = [{ ...row, title: 'x'.repeat(300), template: RENTAL_AGREEMENT.id }];
		const [long] = await preview(rows, settings({ title: '={{ $json.title }}' }));
		expect(long?.faults).toMatchObject([{ message: expect.stringContaining('Title') as string }]);
		const [gone] = await preview([{ ...row, template: 'envelope_thereisnosuchtempl' }], {
			templateId: byId('={{ $json.template }}'),
		});
		expect(gone?.faults).toMatchObject([
			{ message: expect.stringContaining('There is no template') as string },
		]);
	});

	test('fails when Documenso cannot be asked, and calls no row wrong', async () => {
		const match = `GET /envelope/${RENTAL_AGREEMENT.id}`;
		suite.service.fail({ match, times: 10, ...refusal('No', 403) });
		const { error } = await suite.run(PREVIEW, items(row));
		expect(error?.message).toContain('No');
	});

	test('hands on the columns and files of an item', async () => {
		const item = await itemWithPdf();
		const run = await suite.run(PREVIEW, [{ ...item, json: { ...row, Notes: 'call first' } }]);
		expect(run.items[0]?.json).toMatchObject({ ...row, Notes: 'call first' });
		expect(run.items[0]?.binary).toEqual(item.binary);
	});

	test('says above its output how many items come out how', async () => {
		const { hints } = await suite.run(PREVIEW, items(row, row, { ...row, Payment: 'Cash' }));
		expect(hints).toContain(
			'Nothing was created. Of these items, <i>Create Document</i> would send 2, refuse 1.',
		);
	});

	test('creates a draft if sending is off', async () => {
		const [shown] = await preview([row], { send: false });
		expect(shown?.action).toBe('createDraft');
	});

	test.each([
		['Skip', 'skip', ['skip', 'send', 'skip']],
		['Fail', 'fail', ['refuse', 'send', 'refuse']],
	])('finds what exists, as creating does, with %s', async (_, ifExternalIdExists, actions) => {
		const withId = settings({ externalId: '={{ $json.id }}', ifExternalIdExists });
		const [first, second] = ['RA-1', 'RA-2'].map((id) => ({ ...row, id }));
		const rows = [first, second, second].flatMap((one) => one ?? []);
		const [made] = await suite.outputOf(
			{ ...CREATE, options: {}, ...withId },
			items(...rows.slice(0, 1)),
		);
		const shown = await preview(rows, withId);
		expect(shown.map(({ action }) => action)).toEqual(actions);
		if (ifExternalIdExists !== 'skip') return;
		expect(shown[0]?.existing).toMatchObject({ id: made?.id, status: 'PENDING' });
		expect(shown[2]).toMatchObject({ existing: null, sameAsItem: 1 });
	});

	test('of many rows takes one request for the template, and one for its attachments', async () => {
		const shown = await preview(
			tenants(300).map(({ json }) => json),
			settings({ ifFieldStaysBlank: 'leave' }),
		);
		expect(new Set(shown.map(({ digest }) => digest)).size).toBe(300);
		expect(lines(suite.service)).toEqual([
			`GET /envelope/${RENTAL_AGREEMENT.id}`,
			'GET /envelope/attachment',
		]);
	});
});

/** Previews rows, changes something, and creates what the rows ask for. */
async function approved(
	change: (previewed: INodeExecutionData[]) => unknown = () => undefined,
	{
		previewing = {},
		creating = {},
		given = items(row),
		mode = 'trigger',
	}: {
		previewing?: IDataObject;
		creating?: IDataObject;
		given?: INodeExecutionData[];
		mode?: WorkflowExecuteMode;
	} = {},
) {
	const { items: previewed, error } = await suite.run({ ...PREVIEW, ...previewing }, given, {
		mode,
	});
	if (error) throw error;
	await change(previewed);
	return await suite.run({ ...CREATE, ...creating }, previewed, { mode });
}

const said = ({ error }: Awaited<ReturnType<typeof approved>>) => error?.message;

describe('only as previewed', () => {
	test('creates what was previewed, with the same number of requests but one', async () => {
		const { items: output } = await approved(() => (suite.service.calls.length = 0));
		expect(output[0]?.json).toMatchObject({ status: 'PENDING', title: 'Rental agreement' });
		expect(lines(suite.service)).toEqual([
			`GET /envelope/${RENTAL_AGREEMENT.id}`,
			'GET /envelope/attachment',
			USE,
		]);
	});

	test.each<[string, string, (json: IDataObject) => void]>([
		['a value', 'the values', (json) => (json.Rent = '901')],
		['an address', 'the recipients', (json) => (json['Tenant email'] = 'tom@example.com')],
		['a name', 'the recipients', (json) => (json['Tenant name'] = 'Tom')],
		['the title', 'the settings', (json) => (json['Document title'] = 'Lease')],
		['the external ID', 'the settings', (json) => (json['External ID'] = 'RA-9')],
	])('refuses %s of a row that has changed', async (_, part, change) => {
		const run = await approved(([one]) => {
			change(one?.json ?? {});
		});
		expect(said(run)).toContain(
			`'Only As Previewed' stops this item: it differs from the preview in ${part} [item 0]`,
		);
		expect(suite.calls(USE)).toEqual([]);
	});

	test.each<[string, () => unknown]>([
		['a field is moved', () => (suite.field('rent').positionX = 5)],
		[
			'a field is made read-only',
			() => Object.assign(suite.field('rent').fieldMeta ?? {}, { readOnly: true }),
		],
		[
			'a recipient is replaced',
			() => Object.assign(suite.template().recipients[1] ?? {}, { email: 'eve@example.com' }),
		],
		[
			'the authentication of a recipient goes',
			() =>
				Object.assign(suite.template().recipients[0] ?? {}, {
					authOptions: { accessAuth: ['ACCOUNT'], actionAuth: [] },
				}),
		],
		[
			'its message changes',
			() => Object.assign(suite.template().documentMeta, { message: 'Hurry' }),
		],
		[
			'its file is replaced',
			() => Object.assign(suite.template().items[0] ?? {}, { documentDataId: 'another' }),
		],
	])('refuses if %s in the template', async (_, change) => {
		const run = await approved(change);
		expect(said(run)).toContain('it differs from the preview in the template');
		expect(suite.calls(USE)).toEqual([]);
	});

	test('refuses if the template gets an attachment', async () => {
		const link = { label: 'Rules', data: 'https://example.com/rules' };
		const run = await approved(
			async () =>
				await suite.outputOf(step('attachment.create', { envelopeId: RENTAL_AGREEMENT.id }, link)),
		);
		expect(said(run)).toContain('it differs from the preview in the template');
	});

	test.each([
		['Send Now', { send: false }, {}],
		[
			'If External ID Exists',
			settings({ externalId: 'A' }),
			settings({ externalId: 'A', ifExternalIdExists: 'skip' }),
		],
		['the message', settings({ message: 'Hello' }), settings({ message: 'Good bye' })],
		['the page after signing', {}, settings({ redirectUrl: 'https://example.com' })],
	])('refuses other settings: %s', async (_, previewing, creating) => {
		const run = await approved(undefined, { previewing, creating });
		expect(said(run)).toContain('it differs from the preview in the settings');
	});

	test('refuses another file in the place of the one that was previewed, and takes the same one', async () => {
		const replaced = settings({
			replacedFiles: { file: [{ envelopeItemId: RENTAL_AGREEMENT.itemId, property: 'data' }] },
		});
		const withFile = async (text: string) => ({
			...(await itemWith({ data: { content: await pdf(text, 'Page two') } })),
			json: row,
		});
		const options = { previewing: replaced, creating: replaced };
		const same = await approved(undefined, { ...options, given: [await withFile('One')] });
		expect(same.items[0]?.json).toMatchObject({ status: 'PENDING' });
		const other = await withFile('Two');
		const run = await approved(([one]) => Object.assign(one ?? {}, { binary: other.binary }), {
			...options,
			given: [await withFile('One')],
		});
		expect(said(run)).toContain('it differs from the preview in the files');
	});

	test('creates nothing for any item while one is not as it was previewed', async () => {
		const given = items(row, { ...row, 'Tenant email': 'tom@example.com' });
		const run = await approved(([, second]) => Object.assign(second?.json ?? {}, { Rent: '1' }), {
			given,
		});
		expect(said(run)).toContain('[item 1]');
		expect(suite.calls(USE)).toEqual([]);
	});

	test("refuses the digest of another row's preview", async () => {
		const given = items(row, { ...row, Rent: '1000' });
		const run = await approved(
			([first, second]) => {
				if (first && second) first.json.documensoPreview = second.json.documensoPreview;
			},
			{ given },
		);
		expect(said(run)).toContain('it differs from the preview in the values');
	});

	test('takes a digest also with columns that are mapped one by one', async () => {
		const columns = mapped({
			'Tenant email': '={{ $json["Tenant email"] }}',
			Address: '={{ $json.Address }}',
			Rent: '={{ $json.Rent }}',
		});
		const run = await approved(undefined, { previewing: { columns }, creating: { columns } });
		expect(run.items[0]?.json).toMatchObject({ status: 'PENDING' });
	});

	test.each([
		[
			'that the model gives',
			"={{ $fromAI('digest', '', 'string', 'v1') }}",
			'may come from the model',
		],
		[
			'that is written in another case',
			'={{ $fromAi("digest", "", "string", "v1") }}',
			'may come from the model',
		],
		['that is something else', 'yes', "is not a digest of 'Template: Preview Document'"],
		['that is nothing', '', 'Only As Previewed'],
		['that is an equals sign', '=', 'Only As Previewed'],
		['that is blanks', '  ', 'Only As Previewed'],
		['that is a locator without a value', '={{ { __rl: true } }}', 'Only As Previewed'],
		['that is an object', '={{ { digest: 1 } }}', 'Only As Previewed'],
		[
			'that an expression does not find',
			'={{ $json.digest }}',
			'is empty: the preview has refused the item, or the expression leads to nothing',
		],
	])(
		'refuses a digest %s, before any request for a document',
		async (_, onlyAsPreviewed, fault) => {
			const run = await approved(undefined, { creating: { options: { onlyAsPreviewed } } });
			expect(said(run)).toContain(fault);
			expect(suite.calls(USE)).toEqual([]);
		},
	);

	test('never sends a draft that somebody has changed between a failed try and the next', async () => {
		const chosen = settings({ externalId: 'RA-1', ifExternalIdExists: 'skipAcrossWorkers' });
		const { items: previewed } = await suite.run({ ...PREVIEW, ...chosen }, items(row));
		suite.service.fail({
			match: 'POST /envelope/distribute',
			...refusal('No'),
		});
		const nodes = [documenso({ ...CREATE, ...chosen })];
		const failed = await execute(credentialFor(suite.service), nodes, previewed);
		expect(failed.data.resultData.error).toBeDefined();
		expect(suite.documents().map(({ status }) => status)).toEqual(['DRAFT']);
		const retry = await retryExecution(credentialFor(suite.service), nodes, failed);
		const { message } = retry.data.resultData.error ?? {};
		expect(message).toContain('It may not be what was previewed, so it is not sent');
		expect(suite.documents().map(({ status }) => status)).toEqual(['DRAFT']);
	});

	test('never sends a draft that another step has made with the External ID', async () => {
		const chosen = settings({ externalId: 'RA-1', ifExternalIdExists: 'skip' });
		const [draft] = await suite.outputOf(
			{ ...CREATE, options: {}, send: false, ...chosen },
			items(row),
		);
		const run = await approved(undefined, { previewing: chosen, creating: chosen });
		expect(said(run)).toContain(
			`the draft ${draft?.id as string} already has. It may not be what was previewed`,
		);
		expect(suite.documents().map(({ status }) => status)).toEqual(['DRAFT']);
	});

	test('sends to the test address in a manual execution what was previewed for the real people', async () => {
		const run = await approved(undefined, {
			creating: {
				options: { ...CREATE.options, manualExecutionsSendTo: 'builder@example.com' },
			},
			mode: 'manual',
		});
		expect(run.items[0]?.json).toMatchObject({ isTest: true, status: 'PENDING' });
		const emails = suite
			.documents()
			.flatMap(({ recipients }) => recipients.map(({ email }) => email));
		expect(emails).toEqual(['builder+1@example.com', 'builder+2@example.com']);
	});

	test('takes the digest from the step that was approved in the same execution', async () => {
		const { data } = await execute(
			credentialFor(suite.service),
			[
				documenso(PREVIEW, { name: 'Preview' }),
				documenso(
					{
						...CREATE,
						options: {
							onlyAsPreviewed: "={{ $('Preview').item.json.documensoPreview.digest }}",
						},
					},
					{ name: 'Create' },
				),
			],
			items(row),
		);
		expect(data.resultData.error).toBeUndefined();
		expect(suite.documents().map(({ status }) => status)).toEqual(['PENDING']);
	});
});
