import type { IDataObject } from 'n8n-workflow';

import { DEMO_TOKEN } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { hurry } from '../support/hurry';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines } from '../support/service';
import {
	byId,
	contract,
	createAndSend,
	fillFromRow,
	mapped,
	signature,
	signer,
	tenants,
	tina,
	useService,
	withId,
} from '../support/suite';

hurry();

// What people run into on their first day, and what the error tells them to do.
const suite = useService({ seed: 'demo' });

const withFile = async () => [await itemWith({ data: { content: await pdf() } })];

const withEmail = (email: string) => ({ recipients: { recipient: [{ ...signer, email }] } });

async function folder(name: string, type = 'DOCUMENT') {
	const create = { resource: 'folder', operation: 'create', name, type };
	const [made] = await suite.outputOf(create);
	return made?.id as string;
}

describe('a wrong folder', () => {
	const FAULT = '\'Folder ID\' is "nowhere", but there is no folder of documents with this ID';
	const additionalFields = { folderId: 'nowhere' };

	test.each<[string, IDataObject]>([
		['Document: Create', { resource: 'document', operation: 'create', ...contract }],
		['Document: Create and Send', createAndSend],
		['Template: Create Document', fillFromRow],
		[
			'Template (Deprecated): Create Document',
			{ ...fillFromRow, resource: 'templateDeprecated', templateNumber: 1 },
		],
	])('is named in %s, with the folders that there are', async (_, parameters) => {
		const deals = await folder('Deals');
		const [file] = await withFile();
		const item = { ...tenants(1)[0], ...file, json: tenants(1)[0]?.json ?? {} };
		const { error } = await suite.run({ ...parameters, additionalFields }, [item]);
		expect(error).toMatchObject({
			message: `${FAULT} [item 0]`,
			description: expect.stringContaining(`The folders are: Deals (${deals}).`) as string,
		});
		expect(suite.documents()).toEqual([]);
	});

	test('of the other kind is named in Template: Create', async () => {
		const deals = await folder('Deals');
		const parameters = { resource: 'template', operation: 'create', ...contract };
		const given = { ...parameters, additionalFields: { folderId: deals } };
		const { error } = await suite.run(given, await withFile());
		expect(error).toMatchObject({
			message: `'Folder ID' is "${deals}", but there is no folder of templates with this ID [item 0]`,
			description: expect.stringContaining('There are none yet.') as string,
		});
	});

	test('is not blamed for something else that Documenso does not find', async () => {
		const folderId = await folder('Deals');
		const given = { ...createAndSend, additionalFields: { folderId } };
		const body = { message: 'Sender not found', data: { code: 'NOT_FOUND' } };
		suite.service.fail({ match: 'POST /envelope/create', status: 404, body });
		const { error } = await suite.run(given, await withFile());
		expect(error?.message).toBe('Sender not found');
	});

	test('is named where something is moved into it, and where another is created in it', async () => {
		const move = {
			resource: 'folder',
			operation: 'moveEnvelope',
			envelopeId: byId(RENTAL_AGREEMENT.id),
			folderId: byId(await folder('Deals')),
		};
		expect((await suite.run(move)).error?.message).toMatch(
			/^'Folder' is "\w+", but there is no folder of templates with this ID/,
		);
		// A year in a cell is a number.
		const create = { resource: 'folder', operation: 'create', name: '={{ 2026 }}' };
		expect((await suite.run(create)).error).toBeUndefined();
		const { error } = await suite.run({ ...create, parentId: byId('nowhere') });
		expect(error?.message).toMatch(
			/^'Parent Folder' is "nowhere", but there is no folder of documents with this ID/,
		);
	});

	test('shows no more than twenty folders', async () => {
		for (let number = 1; number <= 21; number++) await folder(`Deals ${number}`);
		const { error } = await suite.run({ ...createAndSend, additionalFields }, await withFile());
		expect(error?.description?.match(/Deals \d+ \(/g)).toHaveLength(20);
		expect(error?.description).toContain('), ….');
	});
});

describe('a wrong time zone', () => {
	test.each(['Berlin', 'Europe/Berln', 'GMT plus 1'])(
		'%s is refused before any request, with examples',
		async (timezone) => {
			const { error } = await suite.run(
				{ ...createAndSend, additionalFields: { timezone } },
				await withFile(),
			);
			expect(error).toMatchObject({
				message: `'Additional Fields > Timezone' is "${timezone}", which is not a time zone [item 0]`,
				description: 'Use a name such as Europe/Berlin, America/New_York or Etc/UTC.',
			});
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test.each(['Europe/Berlin', 'Etc/UTC', 'utc', 'UTC+2'])('%s is one', async (timezone) => {
		const given = { ...createAndSend, additionalFields: { timezone } };
		expect((await suite.run(given, await withFile())).error).toBeUndefined();
	});
});

describe('something that is no ID', () => {
	const get = { resource: 'template', operation: 'get' };
	const FIND = 'Choose it from the list, or open it in Documenso and copy the part of its URL';

	test.each(['42', 'template_42'])(
		'such as the number %s of an older version of the API is called that',
		async (id) => {
			const { error } = await suite.run({ ...get, templateId: byId(`={{ "${id}" }}`) });
			expect(error).toMatchObject({
				message: `'Template' is "${id}", but an ID starts with envelope_ [item 0]`,
				description: `${id} is the ID of a recipient, or a number from an older version of the API. In an item of a recipient, the ID of the document is document.id. ${FIND} that starts with envelope_.`,
			});
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test('such as a title says where the ID is', async () => {
		const { error } = await suite.run({ ...get, templateId: byId('={{ "Rental agreement" }}') });
		expect(error?.description).toBe(`${FIND} that starts with envelope_.`);
	});

	test('is explained in Get Many by IDs, too', async () => {
		const { error } = await suite.run({ resource: 'document', operation: 'getByIds', id: '7' });
		expect(error).toMatchObject({
			message: '\'ID\' is "7", but an ID starts with envelope_ [item 0]',
			description: expect.stringMatching(
				/^Open the document or template in Documenso.* choose that under 'Kind of ID'\.$/,
			) as string,
		});
	});
});

describe('Skip takes a document for other people', () => {
	const skip = withId({ ifExternalIdExists: 'skip' });
	const isOurs = (hint: string) => hint.startsWith('For these items nothing was created');
	const rowFor = (email: string) => ({ json: { ...tenants(1)[0]?.json, 'Tenant email': email } });

	test('and a hint says for whom it is, and what to do', async () => {
		const [first] = (await suite.run(skip, [rowFor('ada@example.com')])).items;
		const { items, hints } = await suite.run(skip, [rowFor('b@example.com')]);
		expect(items[0]?.json).toMatchObject({ id: first?.json.id, alreadyExisted: true });
		expect(items).toHaveLength(1);
		expect(hints.find(isOurs)).toMatch(
			new RegExp(
				`External ID\\.<br>Item 0: ${first?.json.id as string} is for ada@example.com, landlord@example.com, not for b@example.com, landlord@example.com$`,
			),
		);
	});

	test('but none where it is for the same', async () => {
		await suite.run(skip, [rowFor('ada@example.com')]);
		const { hints } = await suite.run(skip, [rowFor('ADA@example.com')]);
		expect(hints.filter(isOurs)).toEqual([]);
	});

	test('and lists ten items at most', async () => {
		const rowsFor = (who: string) =>
			Array.from({ length: 12 }, (_, index) => ({
				json: { ...rowFor(`${who}${index}@example.com`).json, id: `RA-${index}` },
			}));
		await suite.run(skip, rowsFor('a'));
		const { hints } = await suite.run(skip, rowsFor('b'));
		expect(hints.find(isOurs)?.match(/<br>Item \d+:/g)).toHaveLength(10);
		expect(hints.find(isOurs)).toMatch(/<br>and 2 more$/);
	});
});

test('a value of a wrong type in a column says where to correct it', async () => {
	const [row] = tenants(1);
	const { error } = await suite.run(fillFromRow, [{ json: { ...row?.json, Rent: 'a lot' } }]);
	expect(error?.description).toBe(
		'Correct the data of the item, or what is entered in the node for it.',
	);
});

test('an option of one item that cannot be read fails that item only', async () => {
	const includeSigningLinks = "={{ $itemIndex === 0 ? $('Nowhere').first().json.x : true }}";
	const { items, error } = await suite.run(
		{ ...fillFromRow, options: { includeSigningLinks } },
		tenants(3),
		{ onError: 'continueRegularOutput' },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => ('error' in json ? json.error : json.status))).toEqual([
		"Referenced node doesn't exist",
		'PENDING',
		'PENDING',
	]);
	expect(suite.documents()).toHaveLength(2);
});

test('an input that is empty says where to correct it', async () => {
	const { error } = await suite.run({ ...createAndSend, title: '={{ "" }}' }, await withFile());
	expect(error).toMatchObject({
		message: "'Title' is empty [item 0]",
		description: 'Correct the value, or the expression that gives it.',
	});
});

test.each<[string, IDataObject]>([
	['Additional Fields > External ID', { additionalFields: { externalId: '=Q-{{ $json.nope }}' } }],
	[
		'Additional Fields > External ID',
		{ additionalFields: { externalId: '={{ "L-" + $json.nope }}' } },
	],
	['Recipients > Row 1 > Email', withEmail('={{ $json.nope }}.smith@example.com')],
	['Recipients > Row 1 > Email', withEmail('={{ $json.nope + "@example.com" }}')],
])(
	'of a new document, %s with a part that gives nothing is refused: %j',
	async (label, changes) => {
		const { error } = await suite.run({ ...createAndSend, ...changes }, await withFile());
		expect(error?.message).toContain(`'${label}' has an expression that gives nothing`);
		expect(lines(suite.service)).toEqual([]);
	},
);

const { recipient: _recipient, ...place } = signature;
const SIGNATURE = JSON.stringify(place);

/** A read-only text in the JSON of the recipients; `value` is written as in JSON. */
const textInJson = (value: string) => ({
	specifyRecipients: 'json',
	recipientsJson: `=[{ "email": "ada@example.com", "name": "{{ $json.name ?? "Ada" }}", "role": "SIGNER", "fields": [${SIGNATURE}, { "type": "TEXT", "page": 1, "positionX": 50, "positionY": 50, "width": 20, "height": 5, "fieldMeta": { "type": "text", "readOnly": true, "text": ${value} } }] }]`,
});

const SETTINGS = 'Update Fields > ';

describe('what people would read', () => {
	test.each<[string, IDataObject]>([
		['Recipients (JSON)', textInJson('"{{ $json.rent }}"')],
		['Recipients (JSON)', textInJson('"{{ $json.rent }} EUR"')],
		['Recipients (JSON)', textInJson('"{{ $json.rent + " EUR" }}"')],
		['Recipients (JSON)', { specifyRecipients: 'json', recipientsJson: '={{ $json.people }}' }],
		[
			'Additional Fields > Form Values',
			{ additionalFields: { formValues: '={ "Rent": "{{ $json.rent }}" }' } },
		],
		['Additional Fields > Form Values', { additionalFields: { formValues: '={{ $json.form }}' } }],
		[
			'Additional Fields > Form Values',
			{ additionalFields: { formValues: '={{ ({ Rent: $json.rent + " EUR" }) }}' } },
		],
		['Title', { title: '={{ "Lease " + $json.flat }}' }],
		['Title', { title: '={{ `Lease ${$json.flat}` }}' }],
		['Title', { title: '=Lease from {{ DateTime.fromISO($json.start).toFormat("dd.MM.yyyy") }}' }],
		['Title', { title: '=Lease {{ $json.list }}' }],
		[
			'Recipients > Row 1 > Name',
			{ recipients: { recipient: [{ ...signer, name: '={{ String($json.x) }}' }] } },
		],
		['Input Binary Field(s)', { binaryPropertyName: '=data,{{ $json.annex }}' }],
		[
			'Recipients > Row 1 > Name',
			{ recipients: { recipient: [{ ...signer, name: '={{ "Ada " + $json.last }}' }] } },
		],
		['Emails > Subject', { emailFields: { subject: '={{ "Dear " + $json.first }}' } }],
		['Emails > Message', { emailFields: { message: '=Hi, {{ "Dear " + $json.first }}' } }],
	])('%s of a new document does not hold what an expression lacks: %j', async (label, changes) => {
		const [item] = await withFile();
		const json = { list: [{ a: 1 }] };
		const { error } = await suite.run({ ...createAndSend, ...changes }, [{ ...item, json }]);
		expect(error?.message).toContain(`'${label}' has an expression that gives nothing: {{ `);
		expect(lines(suite.service)).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['Title', { updateFields: { title: '={{ "Lease " + $json.flat }}' } }],
		['Message', { updateFields: { message: '={{ "Dear " + $json.first }}' } }],
	])('%s of a document that is there does not, either: %j', async (label, changes) => {
		const { id } = await suite.document();
		const { error } = await suite.run({
			...{ resource: 'document', operation: 'update', documentId: byId(id), ...changes },
		});
		expect(error?.message).toContain(`'${SETTINGS}${label}' has an expression that gives nothing`);
		expect(lines(suite.service)).toEqual([]);
	});

	test('of a document that a template makes, neither', async () => {
		for (const changes of [
			{ additionalFields: { formValues: '={ "Rent": "{{ $json.rend }}" }' } },
			{ emailFields: { subject: '={{ "Dear " + $json.first }}' } },
		]) {
			const { error } = await suite.run({ ...fillFromRow, ...changes }, tenants(1));
			expect(error?.message).toContain('has an expression that gives nothing');
		}
		expect(suite.documents()).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['a text with all its parts', textInJson('"{{ $json.note + " EUR" }}"')],
		['a text that JSON puts into quotes', textInJson('{{ JSON.stringify("a" + $json.note) }}')],
		[
			'a whole list',
			{
				specifyRecipients: 'json',
				recipientsJson: `={{ [{ email: 'ada' + '@example.com', name: $json.name ?? '', role: 'SIGNER', fields: [${SIGNATURE}] }] }}`,
			},
		],
		[
			'a whole list as text',
			{
				specifyRecipients: 'json',
				recipientsJson: `={{ JSON.stringify([{ email: 'ada' + '@example.com', name: '', role: 'SIGNER', fields: [${SIGNATURE}] }]) }}`,
			},
		],
		['a clause', { emailFields: { message: '={{ "Else it is null and void. " + $json.note }}' } }],
		['an optional part', { emailFields: { message: '=Dear {{ $json.first }} {{ $json.note }}' } }],
	])('%s is no fault', async (_, changes) => {
		const [item] = await withFile();
		const json = { note: 'null  and void' };
		const { error } = await suite.run({ ...createAndSend, ...changes }, [{ ...item, json }]);
		expect(error).toBeUndefined();
	});
});

test.each<[string, IDataObject]>([
	['Signing > Signature Types > Row 1', { signingFields: { signatureTypes: '={{ ["Drawn"] }}' } }],
	[
		'Emails > Emails to Turn Off > Row 1',
		{ emailFields: { emailsOff: '={{ ["Signing Request"] }}' } },
	],
])('a word that Documenso does not know is refused: %s', async (label, changes) => {
	const { error } = await suite.run({ ...createAndSend, ...changes }, await withFile());
	expect(error?.message).toContain(`'${label}' is not one of: `);
	expect(lines(suite.service)).toEqual([]);
});

test('commas without IDs are nobody, and not everybody', async () => {
	const { id } = await suite.document('createAndSend');
	const { error } = await suite.run({
		...{ resource: 'document', operation: 'resend', documentId: byId(id) },
		recipientIds: '={{ [$json.tenant, $json.guarantor].join(",") }}',
	});
	expect(error?.message).toContain("'Recipient Names or IDs");
	expect(lines(suite.service)).toEqual([]);
});

test.each<[string, IDataObject]>([
	['a person called Null', withEmail('={{ $json.email.trim() }}')],
	['an ID with a date', { additionalFields: { externalId: '={{ $json.email }}-{{ $json.on }}' } }],
	['a title of which a part is optional', { title: '=Lease {{ $json.nope }}' }],
	['an ID that speaks of null', { additionalFields: { externalId: '={{ $json.note.trim() }}' } }],
])('%s is no fault in a new document', async (_, changes) => {
	const [item] = await withFile();
	const json = { email: 'jane.null@example.com', on: new Date(), note: 'null and void' };
	const { error } = await suite.run({ ...createAndSend, ...changes }, [{ ...item, json: json }]);
	expect(error).toBeUndefined();
});

test.each(['undefined@example.com', 'ada.undefined@example.com', 'null@example.com'])(
	'the address %s is refused, also in JSON',
	async (email) => {
		const recipients = [{ email, role: 'SIGNER', fields: [signature] }];
		const inJson = { specifyRecipients: 'json', recipientsJson: JSON.stringify(recipients) };
		const { error } = await suite.run({ ...createAndSend, ...inJson }, await withFile());
		expect(error?.message).toContain(`is "${email}", where a part is missing`);
		expect(lines(suite.service)).toEqual([]);
	},
);

test('an address that n8n has not evaluated is refused', async () => {
	const fixed = { ...createAndSend, ...withEmail('{{$json.email}}@example.com') };
	const { error } = await suite.run(fixed, await withFile());
	expect(error?.message).toContain('is not an email address: "{{$json.email}}@example.com"');
	expect(error?.description).toContain('Switch the input from Fixed to Expression.');
});

// n8n shows an error's description as HTML, with its links and styles.
describe('what others wrote', () => {
	const LINK = '<a href="https://example.com">Sign in</a>';

	const ESCAPED = '&lt;a href="https://example.com">Sign in&lt;/a>';

	test('the names of columns in an error are text', async () => {
		const { error } = await suite.run(fillFromRow, [{ json: { [LINK]: 1 } }]);
		expect(error?.description).toContain(ESCAPED);
		expect(error?.description).not.toContain('<a');
	});

	test('and so are those of a template’s files', async () => {
		const [file] = suite.template().items;
		if (file) file.title = LINK;
		const [row] = tenants(1);
		const item = await itemWith({ data: { content: await pdf() } }, row?.json);
		const replacedFiles = { file: [{ envelopeItemId: 'None', property: 'data' }] };
		const { error } = await suite.run({ ...fillFromRow, additionalFields: { replacedFiles } }, [
			item,
		]);
		expect(error?.description).toContain(ESCAPED);
		expect(error?.description).not.toContain('<a');
	});

	test('and so is what Documenso answers, which is cut short and shows no token', async () => {
		const body = { message: `${LINK} ${DEMO_TOKEN} ${'x'.repeat(1_000_000)}`, code: LINK };
		suite.service.fail({ match: 'GET /envelope/*', status: 400, body });
		const { error } = await suite.run(fillFromRow, [{ json: {} }]);
		expect(error?.message).toMatch(/^‹a href="https:\/\/example\.com">Sign in‹\/a> \*\*\* x+…$/);
		expect(error?.message.length).toBeLessThan(3000);
		expect(error?.description).toContain(ESCAPED);
		expect(JSON.stringify(error)).not.toContain(DEMO_TOKEN);
	});

	test('a failed item’s output has the plain text', async () => {
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items } = await suite.run(fillFromRow, [{ json: { [LINK]: 1 } }], setup);
		expect(items[0]?.json.details).toHaveProperty(
			'description',
			expect.stringContaining(LINK) as string,
		);
	});

	test.each(['constructor', '__proto__'])(
		'an answer with the code %s is like any other',
		async (code) => {
			suite.service.fail({ match: 'GET /envelope/*', status: 400, body: { message: 'No', code } });
			const { error } = await suite.run(fillFromRow, [{ json: {} }]);
			expect(error).toMatchObject({
				message: 'No',
				description: expect.stringMatching(/ 400 \S+\.$/) as string,
			});
			expect(error?.description).not.toContain('native code');
		},
	);
});

describe('huge inputs', () => {
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
		Array.from({ length: MANY }, (_, index) => [
			`Addres${String.fromCharCode(0x4e00 + index)}`,
			'x',
		]),
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
	test.each(faulty)('an error about %s is short', async (_, parameters, beginning, json = {}) => {
		const items = [{ json: { ...tina, ...json } }];
		const { error } = await suite.run(parameters, items);
		expect(error?.message.slice(0, beginning.length)).toBe(beginning);
		expect(error?.message).toMatch(/ \[item 0\]$/);
		expect(error?.message.length).toBeLessThan(2100);
		expect(error?.description?.length).toBeLessThan(10_100);
		expect(suite.service.calls.filter(({ method }) => method === 'POST')).toEqual([]);
		const { items: failed } = await suite.run(parameters, items, {
			onError: 'continueRegularOutput',
		});
		expect(failed).toHaveLength(1);
		expect(failed[0]?.json).toHaveProperty('error');
		expect(JSON.stringify(failed[0]?.json).length).toBeLessThan(15_000);
	});

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

	test.each(inJson)(
		'a function in %s is named before any request',
		async (_, parameters, input) => {
			const { error } = await suite.run(parameters, [{ json: tina }]);
			expect(error?.message).toBe(
				`'${input}' has a part that JSON cannot hold, such as a function [item 0]`,
			);
			expect(lines(suite.service)).toEqual([]);
		},
	);
});

describe('an expression that gives nothing', () => {
	const NOTHING = '={{ $json.misspelt }}';

	const located = { __rl: true, mode: 'id', value: NOTHING };

	const envelope = byId('envelope_abcdefghijklmnop');

	const newDocument = (changes: IDataObject) => ({ ...createAndSend, ...changes });

	/** What an empty input means is more than the user meant. */
	const cases: Array<[string, IDataObject, string]> = [
		[
			'a token for one document would be one for all',
			{ resource: 'embedToken', operation: 'create', expiresIn: 60, envelopeId: located },
			'Document or Template',
		],
		[
			'a token would be valid without its scope',
			{ resource: 'embedToken', operation: 'verify', token: 'x', scope: NOTHING },
			'Scope',
		],
		[
			'a scope in which a part is missing would be another one',
			{
				resource: 'embedToken',
				operation: 'verify',
				token: 'x',
				scope: `=envelopeId:{{ $json.no }}`,
			},
			'Scope',
		],
		[
			'a reminder for one would go to everyone',
			{ resource: 'document', operation: 'resend', documentId: envelope, recipientIds: NOTHING },
			'Recipient Names or IDs',
		],
		[
			'a reminder for an empty list would go to everyone',
			{
				...{ resource: 'document', operation: 'resend', documentId: envelope },
				recipientIds: '={{ [] }}',
			},
			'Recipient Names or IDs',
		],
		[
			'a reminder for a list of nothing would go to everyone',
			{
				...{ resource: 'document', operation: 'resend', documentId: envelope },
				recipientIds: '={{ "".split(",") }}',
			},
			'Recipient Names or IDs',
		],
		[
			'expired links would be all documents',
			{ resource: 'document', operation: 'getAll', filters: { hasExpiredRecipients: NOTHING } },
			'Filters > Only With Expired Recipients',
		],
		[
			'a document that exists would be created again',
			{
				...{ resource: 'document', operation: 'create', title: 'Lease' },
				additionalFields: { ifExternalIdExists: NOTHING },
			},
			'Additional Fields > If External ID Exists',
		],
		[
			'nobody would have to authenticate',
			{
				...{ resource: 'document', operation: 'create', title: 'Lease' },
				additionalFields: { globalActionAuth: NOTHING },
			},
			'Additional Fields > Action Authentication',
		],
		[
			'a document would move to the root',
			{ resource: 'folder', operation: 'moveEnvelope', envelopeId: envelope, folderId: located },
			'Folder',
		],
		[
			'a folder would be created in the root',
			{ resource: 'folder', operation: 'create', name: 'Leases', parentId: located },
			'Parent Folder',
		],
		[
			'a direct link would be for a new recipient',
			{ resource: 'directLink', operation: 'create', templateId: envelope, recipientId: located },
			'Recipient',
		],
		[
			'a search would find all documents',
			{ resource: 'document', operation: 'getAll', filters: { query: NOTHING } },
			'Filters > Search',
		],
		[
			'a status would be any',
			{ resource: 'document', operation: 'getAll', filters: { status: NOTHING } },
			'Filters > Status',
		],
		[
			'a document would be created in the root',
			{
				...{ resource: 'document', operation: 'create', title: 'Lease' },
				additionalFields: { folderId: NOTHING },
			},
			'Additional Fields > Folder ID',
		],
		[
			'a new recipient would not have to authenticate',
			{
				...{
					resource: 'recipient',
					operation: 'add',
					envelopeId: envelope,
					email: 'a@example.com',
				},
				additionalFields: { actionAuth: NOTHING },
			},
			'Additional Fields > Action Authentication',
		],
		[
			'a recipient would see the document without authentication',
			{
				...{
					resource: 'recipient',
					operation: 'update',
					envelopeId: envelope,
					recipientId: byId(1),
				},
				updateFields: { name: 'Anna', accessAuth: '={{ [] }}' },
			},
			'Update Fields > Access Authentication',
		],
		[
			'somebody who only gets a copy would sign',
			newDocument({ recipients: { recipient: [signer, { ...signer, role: NOTHING }] } }),
			'Recipients > Row 2 > Role',
		],
		[
			'all would sign at once',
			newDocument({ recipients: { recipient: [{ ...signer, signingOrder: NOTHING }] } }),
			'Recipients > Row 1 > Signing Order (0: None)',
		],
		[
			'all would sign at once, whatever their order',
			newDocument({ additionalFields: { signingOrder: NOTHING } }),
			'Additional Fields > Signing Order',
		],
		[
			'a field would be in the first file',
			newDocument({ fields: { field: [{ ...signature, options: { identifier: NOTHING } }] } }),
			'Fields > Row 1 > Options > File',
		],
		[
			'any kind of signature would do',
			newDocument({ additionalFields: { signatureTypes: NOTHING } }),
			'Additional Fields > Signature Types',
		],
		[
			'emails would be sent',
			newDocument({ additionalFields: { emailsOff: NOTHING } }),
			'Additional Fields > Emails to Turn Off',
		],
		[
			'Documenso would email a document that is passed on by hand',
			newDocument({ additionalFields: { distributionMethod: NOTHING } }),
			'Additional Fields > Delivery',
		],
		[
			'recipients could change a field',
			{
				...{ resource: 'field', operation: 'add', envelopeId: envelope, recipientId: byId(1) },
				...{ type: 'TEXT', settings: { readOnly: NOTHING } },
			},
			'Settings > Read Only',
		],
		[
			'a folder would move to the root',
			{
				...{ resource: 'folder', operation: 'update', folderId: byId('folder_1') },
				updateFields: { parentId: NOTHING },
			},
			'Update Fields > Parent Folder ID',
		],
		[
			'folders in one folder would be all folders',
			{ resource: 'folder', operation: 'getAll', filters: { parentId: NOTHING } },
			'Filters > Parent Folder ID',
		],
		[
			'templates in one folder would be all templates',
			{ resource: 'templateDeprecated', operation: 'getAll', filters: { folderId: NOTHING } },
			'Filters > Folder ID',
		],
		[
			'somebody else would be recorded as rejecting',
			{
				...{ resource: 'recipient', operation: 'rejectOnBehalf', documentId: envelope },
				...{ recipientId: byId(1), reason: 'No', additionalFields: { actAsEmail: NOTHING } },
			},
			'Additional Fields > Act As',
		],
	];

	test.each(cases)('%s: the expression is refused', async (_, parameters, label) => {
		const { error } = await suite.run(parameters);
		expect(error?.message).toMatch(/ has an expression that gives nothing: {{ .* }} \[item 0\]$/);
		expect(error?.message).toContain(`'${label}' has`);
		expect(error?.description).toContain('remove the expression');
		expect(lines(suite.service)).toEqual([]);
	});

	test('an input that is left empty on purpose means what it says', async () => {
		const { error, items } = await suite.run({
			...{ resource: 'embedToken', operation: 'create', expiresIn: 60 },
			envelopeId: { __rl: true, mode: 'list', value: '' },
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});
