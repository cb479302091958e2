import type { IDataObject } from 'n8n-workflow';

import { DEMO_TOKEN } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { hurry } from '../support/hurry';
import { lines } from '../support/service';
import {
	byId,
	contract,
	createAndSend,
	fillFromRow,
	itemWithPdf,
	mapped,
	signature,
	signer,
	step,
	tenants,
	tina,
	useService,
} from '../support/suite';

hurry();

// What people run into on their first day, and what the error tells them to do.
const suite = useService({ seed: 'demo' });

const withFile = async () => [await itemWithPdf()];

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
			const error = await suite.refused(
				{ ...createAndSend, additionalFields: { timezone } },
				await withFile(),
			);
			expect(error).toMatchObject({
				message: `'Additional Fields > Timezone' is "${timezone}", which is not a time zone [item 0]`,
				description: 'Use a name such as Europe/Berlin, America/New_York or Etc/UTC.',
			});
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
			const error = await suite.refused({ ...get, templateId: byId(`={{ "${id}" }}`) });
			expect(error).toMatchObject({
				message: `'Template' is "${id}", but an ID starts with envelope_ [item 0]`,
				description: `${id} is the ID of a recipient, or a number from an older version of the API. In an item of a recipient, the ID of the document is document.id. ${FIND} that starts with envelope_.`,
			});
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
		const error = await suite.refused({ ...createAndSend, ...changes }, await withFile());
		expect(error.message).toContain(`'${label}' has an expression that gives nothing`);
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
		const error = await suite.refused({ ...createAndSend, ...changes }, [{ ...item, json }]);
		expect(error.message).toContain(`'${label}' has an expression that gives nothing: {{ `);
	});

	test.each<[string, IDataObject]>([
		['Title', { updateFields: { title: '={{ "Lease " + $json.flat }}' } }],
		['Message', { updateFields: { message: '={{ "Dear " + $json.first }}' } }],
	])('%s of a document that is there does not, either: %j', async (label, changes) => {
		const { id } = await suite.document();
		const error = await suite.refused({
			...{ resource: 'document', operation: 'update', documentId: byId(id), ...changes },
		});
		expect(error.message).toContain(`'${SETTINGS}${label}' has an expression that gives nothing`);
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
	const error = await suite.refused({ ...createAndSend, ...changes }, await withFile());
	expect(error.message).toContain(`'${label}' is not one of: `);
});

test('commas without IDs are nobody, and not everybody', async () => {
	const { id } = await suite.document('createAndSend');
	const error = await suite.refused({
		...{ resource: 'document', operation: 'resend', documentId: byId(id) },
		recipientIds: '={{ [$json.tenant, $json.guarantor].join(",") }}',
	});
	expect(error.message).toContain("'Recipient Names or IDs");
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
		const error = await suite.refused({ ...createAndSend, ...inJson }, await withFile());
		expect(error.message).toContain(`is "${email}", where a part is missing`);
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

	test('and so is what Documenso answers, which is cut short and shows no token', async () => {
		const body = { message: `${LINK} ${DEMO_TOKEN} ${'x'.repeat(1_000_000)}`, code: LINK };
		suite.service.fail({ match: 'GET /envelope/*', status: 400, body });
		const { error } = await suite.run(fillFromRow, [{ json: {} }]);
		expect(error?.message).toMatch(/^‹a href="https:\/\/example\.com">Sign in‹\/a> \*\*\* x+…$/);
		expect(error?.message.length).toBeLessThan(3000);
		expect(error?.description).toContain(ESCAPED);
		expect(JSON.stringify(error)).not.toContain(DEMO_TOKEN);
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

const UNKNOWN = 'envelope_unknownunknown';

const documentOperations: Record<string, IDataObject> = {
	...{ archive: {}, cancel: {}, delete: {}, duplicate: {}, get: {}, getAuditLog: {} },
	...{ resend: {}, send: {} },
	download: { version: 'original' },
	update: { updateFields: { title: 'Changed' } },
};

const templateOperations: Record<string, IDataObject> = {
	...{ delete: {}, duplicate: {}, get: {} },
	createDocument: { columns: mapped(tina) },
	update: { updateFields: { title: 'Changed' } },
};

const onDocument = (operation: string, id: string) =>
	step(`document.${operation}`, { documentId: id }, documentOperations[operation]);

const onTemplate = (operation: string, id: string, resource = 'template') =>
	step(`${resource}.${operation}`, { templateId: id }, templateOperations[operation]);

const everything = () => JSON.stringify([...suite.service.store.envelopes.values()]);

/** The error of an operation that is to leave everything as it is. */
async function refusalOf(parameters: IDataObject) {
	const before = everything();
	const { error } = await suite.run(parameters);
	expect(everything()).toBe(before);
	return error;
}

describe('A template where a document is asked for, and the reverse', () => {
	test.each(Object.keys(documentOperations))('Document: %s', async (operation) => {
		const error = await refusalOf(onDocument(operation, RENTAL_AGREEMENT.id));
		expect(error?.message).toBe(
			`'Document' is the ID of a template: ${RENTAL_AGREEMENT.id} [item 0]`,
		);
		expect(error?.description).toContain("are in the resource 'Template'");
	});

	test('Document: send with emails of its own', async () => {
		const additionalFields = { emailsOff: ['documentCompleted'] };
		const send = step('document.send', { documentId: RENTAL_AGREEMENT.id }, { additionalFields });
		expect((await refusalOf(send))?.message).toBe(
			`'Document' is the ID of a template: ${RENTAL_AGREEMENT.id} [item 0]`,
		);
		expect(lines(suite.service)).not.toContain('POST /envelope/distribute');
	});

	test.each(Object.keys(templateOperations))('Template: %s', async (operation) => {
		const { id } = await suite.document();
		const error = await refusalOf(onTemplate(operation, id));
		expect(error?.message).toBe(`'Template' is the ID of a document: ${id} [item 0]`);
		expect(error?.description).toContain("are in the resource 'Document'");
	});

	test.each(['create', 'delete', 'disable', 'enable'])('Direct Link: %s', async (operation) => {
		const { id } = await suite.document();
		const error = await refusalOf(onTemplate(operation, id, 'directLink'));
		expect(error?.message).toBe(`'Template' is the ID of a document: ${id} [item 0]`);
	});

	test('of several that are read in one request, only the one of the other kind fails', async () => {
		const ids = [(await suite.document()).id, RENTAL_AGREEMENT.id, (await suite.document()).id];
		const given = ids.map((id) => ({ json: { id } }));
		const get = onDocument('get', '={{ $json.id }}');
		const { items } = await suite.run(get, given, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.id ?? json.error)).toEqual([
			ids[0],
			`'Document' is the ID of a template: ${RENTAL_AGREEMENT.id} [item 1]`,
			ids[2],
		]);
	});

	test('Get Many by IDs takes both', async () => {
		const parameters = { resource: 'document', operation: 'getByIds', id: RENTAL_AGREEMENT.id };
		expect(await suite.outputOf(parameters)).toMatchObject([{ id: RENTAL_AGREEMENT.id }]);
	});

	test('what Documenso refuses by itself costs no request more while it succeeds', async () => {
		const draft = await suite.document();
		await suite.outputOf(onDocument('send', draft.id));
		await suite.outputOf(onDocument('getAuditLog', draft.id));
		await suite.outputOf(onDocument('cancel', draft.id));
		expect(lines(suite.service)).toEqual([
			// Who can sign is looked at before.
			`GET /envelope/${draft.id}`,
			'POST /envelope/distribute',
			`GET /envelope/${draft.id}/audit-log`,
			'POST /envelope/cancel',
		]);
	});
});

describe('A file of another document', () => {
	const onFile = (operation: string, envelopeId: string, envelopeItemId = '') => {
		const changes = operation === 'update' ? { updateFields: { title: 'Changed' } } : {};
		return step(`file.${operation}`, { envelopeId, envelopeItemId }, changes);
	};

	test.each(['delete', 'download', 'update'])('File: %s says so', async (operation) => {
		const [one, other] = [await suite.document(), await suite.document()];
		const [own, foreign] = [one.items[0]?.id, other.items[0]?.id];
		const error = await refusalOf(onFile(operation, one.id, foreign));
		expect(error?.message).toBe(`'File' is ${foreign}, which is not a file of ${one.id} [item 0]`);
		expect(error?.description).toContain(own);
	});

	test.each(['delete', 'update'])('File: %s costs one request', async (operation) => {
		const { id, items } = await suite.document();
		await suite.outputOf(onFile(operation, id, items[0]?.id));
		expect(lines(suite.service)).toHaveLength(1);
	});

	test('an unknown document or template is called so', async () => {
		const error = await refusalOf(onFile('delete', UNKNOWN, 'envelope_item_unknown'));
		expect(error?.message).toBe(`There is no document or template with the ID ${UNKNOWN}`);
	});
});

describe('An ID that Documenso does not know, or that belongs to another team', () => {
	test.each(Object.keys(documentOperations))('Document: %s', async (operation) => {
		const error = await refusalOf(onDocument(operation, UNKNOWN));
		expect(error?.message).toBe(`There is no document with the ID ${UNKNOWN}`);
		expect(error?.description).toContain('Check the ID');
		expect(error?.description).not.toMatch(/look|again|took|may have/i);
	});

	test.each(Object.keys(templateOperations))('Template: %s', async (operation) => {
		const error = await refusalOf(onTemplate(operation, UNKNOWN));
		expect(error?.message).toBe(`There is no template with the ID ${UNKNOWN}`);
		expect(error?.description).toContain('Check the ID');
	});

	test('Send and Resend of a document of another team', async () => {
		const document = await suite.document();
		document.team = { id: 99, url: 'other', name: 'Other Team' };
		document.user = { id: 99, name: 'Other', email: 'other@example.com' };
		for (const operation of ['send', 'resend']) {
			const error = await refusalOf(onDocument(operation, document.id));
			expect(error?.message).toBe(`There is no document with the ID ${document.id}`);
		}
	});
});

/** The calls for it take longer, so that those for later items are answered before. */
function delay(id: string) {
	suite.service.fail({ match: `GET /envelope/${id}`, times: 9, delayMs: 1500 });
}

const use = { ...fillFromRow, templateId: byId('={{ $json.id }}') };

describe('Bad items are named in their order', () => {
	test('the error that stops the node is that of the first bad item, whichever failed soonest', async () => {
		const ids = ['envelope_first', 'envelope_second', 'envelope_third'];
		delay('envelope_first');
		const { error } = await suite.run(
			onDocument('update', '={{ $json.id }}'),
			ids.map((id) => ({ json: { id } })),
		);
		expect(error?.message).toBe('There is no document with the ID envelope_first');
		expect(error?.context?.itemIndex).toBe(0);
	});

	test('an error that several items share names the first of them', async () => {
		const parameters = { ...use, options: { checkAllFirst: false } };
		const ids = [RENTAL_AGREEMENT.id, 'envelope_unknown', 'envelope_unknown'];
		const { error } = await suite.run(
			parameters,
			ids.map((id) => ({ json: { ...tina, id } })),
		);
		expect(error?.context?.itemIndex).toBe(1);
	});

	test('all items that cannot be used are listed in their order, each by its own number', async () => {
		delay('envelope_slow');
		const rows = [
			{ id: 'envelope_slow' },
			{ id: RENTAL_AGREEMENT.id, Rent: 'much' },
			{ id: 'envelope_fast' },
			{ id: RENTAL_AGREEMENT.id, Rent: '1' },
			{ id: 'envelope_fast' },
		];
		const { error } = await suite.run(
			use,
			rows.map((row) => ({ json: { ...tina, ...row } })),
		);
		expect(error?.message).toBe('4 of 5 items cannot be used, so nothing was created');
		expect(error?.description?.split('<br>').slice(0, 4)).toEqual([
			'Item 0: There is no template with the ID envelope_slow',
			`Item 1: 'Rent' is a number field, but "much" is text`,
			'Items 2, 4: There is no template with the ID envelope_fast',
			'',
		]);
	});
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
			const error = await suite.refused(parameters, [{ json: tina }]);
			expect(error.message).toBe(
				`'${input}' has a part that JSON cannot hold, such as a function [item 0]`,
			);
		},
	);
});

describe('an expression that gives nothing', () => {
	const NOTHING = '={{ $json.misspelt }}';

	const envelope = 'envelope_abcdefghijklmnop';

	const newDocument = (changes: IDataObject) => ({ ...createAndSend, ...changes });

	const inSettings = (changes: IDataObject) => newDocument({ additionalFields: changes });

	const listed = (resource: string, filters: IDataObject) =>
		step(`${resource}.getAll`, {}, { filters });

	const resend = (recipientIds: string) =>
		step('document.resend', { documentId: envelope }, { recipientIds });

	/** What an empty input means is more than the user meant. */
	const cases: Array<[why: string, parameters: IDataObject, input: string]> = [
		[
			'a token for one document would be one for all',
			step('embedToken.create', { envelopeId: NOTHING }, { expiresIn: 60 }),
			'Document or Template',
		],
		[
			'a token would be valid without its scope',
			step('embedToken.verify', {}, { token: 'x', scope: NOTHING }),
			'Scope',
		],
		[
			'a scope in which a part is missing would be another one',
			step('embedToken.verify', {}, { token: 'x', scope: '=envelopeId:{{ $json.no }}' }),
			'Scope',
		],
		['a reminder for one would go to everyone', resend(NOTHING), 'Recipient Names or IDs'],
		['one for an empty list would go to everyone', resend('={{ [] }}'), 'Recipient Names or IDs'],
		[
			'one for a list of nothing would go to everyone',
			resend('={{ "".split(",") }}'),
			'Recipient Names or IDs',
		],
		[
			'expired links would be all documents',
			listed('document', { hasExpiredRecipients: NOTHING }),
			'Filters > Only With Expired Recipients',
		],
		[
			'a document that exists would be created again',
			inSettings({ ifExternalIdExists: NOTHING }),
			'Additional Fields > If External ID Exists',
		],
		[
			'nobody would have to authenticate',
			inSettings({ globalActionAuth: NOTHING }),
			'Additional Fields > Action Authentication',
		],
		[
			'a document would move to the root',
			step('folder.moveEnvelope', { envelopeId: envelope, folderId: NOTHING }),
			'Folder',
		],
		[
			'a folder would be created in the root',
			step('folder.create', { parentId: NOTHING }, { name: 'Leases' }),
			'Parent Folder',
		],
		[
			'a direct link would be for a new recipient',
			step('directLink.create', { templateId: envelope, recipientId: NOTHING }),
			'Recipient',
		],
		[
			'a search would find all documents',
			listed('document', { query: NOTHING }),
			'Filters > Search',
		],
		['a status would be any', listed('document', { status: NOTHING }), 'Filters > Status'],
		[
			'a document would be created in the root',
			inSettings({ folderId: NOTHING }),
			'Additional Fields > Folder ID',
		],
		[
			'a new recipient would not have to authenticate',
			{
				...step('recipient.add', { envelopeId: envelope }, { email: 'a@example.com' }),
				additionalFields: { actionAuth: NOTHING },
			},
			'Additional Fields > Action Authentication',
		],
		[
			'a recipient would see the document without authentication',
			{
				...step('recipient.update', { envelopeId: envelope, recipientId: 1 }),
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
			inSettings({ signingOrder: NOTHING }),
			'Additional Fields > Signing Order',
		],
		[
			'a field would be in the first file',
			newDocument({ fields: { field: [{ ...signature, options: { identifier: NOTHING } }] } }),
			'Fields > Row 1 > Options > File',
		],
		[
			'any kind of signature would do',
			inSettings({ signatureTypes: NOTHING }),
			'Additional Fields > Signature Types',
		],
		[
			'emails would be sent',
			inSettings({ emailsOff: NOTHING }),
			'Additional Fields > Emails to Turn Off',
		],
		[
			'Documenso would email a document that is passed on by hand',
			inSettings({ distributionMethod: NOTHING }),
			'Additional Fields > Delivery',
		],
		[
			'recipients could change a field',
			{
				...step('field.add', { envelopeId: envelope, recipientId: 1 }, { type: 'TEXT' }),
				settings: { readOnly: NOTHING },
			},
			'Settings > Read Only',
		],
		[
			'a folder would move to the root',
			step('folder.update', { folderId: 'folder_1' }, { updateFields: { parentId: NOTHING } }),
			'Update Fields > Parent Folder ID',
		],
		[
			'folders in one folder would be all folders',
			listed('folder', { parentId: NOTHING }),
			'Filters > Parent Folder ID',
		],
		[
			'templates in one folder would be all templates',
			listed('templateDeprecated', { folderId: NOTHING }),
			'Filters > Folder ID',
		],
		[
			'somebody else would be recorded as rejecting',
			{
				...step('recipient.rejectOnBehalf', { documentId: envelope, recipientId: 1 }),
				...{ reason: 'No', additionalFields: { actAsEmail: NOTHING } },
			},
			'Additional Fields > Act As',
		],
	];

	test.each(cases)('%s: the expression is refused', async (_, parameters, label) => {
		const error = await suite.refused(parameters);
		expect(error.message).toMatch(/ has an expression that gives nothing: {{ .* }} \[item 0\]$/);
		expect(error.message).toContain(`'${label}' has`);
		expect(error.description).toContain('remove the expression');
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
