import type { IDataObject } from 'n8n-workflow';

import type { Envelope, Field } from '../../emulator/entities';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { itemWith, runNode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines } from '../support/service';
import { byId, fillFromRow, row, signature, USE, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });

const ada = { email: 'ada@example.com', name: 'Ada', role: 'SIGNER' };
const bob = { email: 'bob@example.com', name: 'Bob', role: 'SIGNER' };
const cc = { email: 'cleo@example.com', name: 'Cleo', role: 'CC' };
const help = { email: 'hal@example.com', name: 'Hal', role: 'ASSISTANT' };
const lower = { ...signature, recipient: 'r2', positionY: 90 };

/** Creates and sends a document for these people; `text` is the PDF's. */
async function send(recipients: object[], fields: object[], changes: IDataObject = {}) {
	const { text = 'A lease', ...rest } = changes;
	const item = await itemWith({ data: { content: await pdf(text as string) } });
	const parameters = {
		...{ resource: 'document', operation: 'createAndSend', title: 'Lease' },
		...{ recipients: { recipient: recipients }, fields: { field: fields } },
		...rest,
	};
	return await suite.run(parameters, [item]);
}

const sendIt = async ({ id }: Envelope) =>
	await suite.run({ resource: 'document', operation: 'send', documentId: byId(id) });

/** What was changed in Documenso. */
const changes = () => lines(suite.service).filter((line) => !line.startsWith('GET'));

describe('a required field of somebody who only gets a copy', () => {
	const fault =
		"'Recipients > Row 2' only gets a copy, but has a required field: text on page 1 [item 0]";
	const text = { ...lower, type: 'TEXT' };

	test('is refused: the document would never be completed', async () => {
		const { error } = await send([ada, cc], [signature, text]);
		expect(error?.message).toBe(fault);
		expect(error?.description).toContain('turn off its Required, or give it to somebody who signs');
		expect(changes()).toEqual([]);
	});

	test('is no fault if it is optional', async () => {
		const { error } = await send([ada, cc], [signature, { ...text, options: { required: false } }]);
		expect(error).toBeUndefined();
	});

	test('is found in a draft that has it from a placeholder, which is not sent', async () => {
		const text = 'Sign {{signature, r1}} here, date {{date, r2}}';
		const { error } = await send([ada, cc], [], { placeholdersInPdf: true, text });
		expect(error?.message).toContain(
			'cannot be sent: Cleo (cleo@example.com) only gets a copy, but has a required field: date on page 1',
		);
		expect(suite.documents()).toMatchObject([{ status: 'DRAFT' }]);
		expect(error?.description).toContain(`The draft ${suite.documents()[0]?.id} was not sent.`);
		// A date is always required.
		expect(error?.description).not.toContain('Required');
	});

	test('is refused in a template before anything is created, and in its preview', async () => {
		const [tenant, landlord] = suite.template().recipients;
		if (!tenant || !landlord) throw new Error('The template has lost its recipients');
		landlord.role = 'CC';
		for (const operation of ['createDocument', 'previewDocument']) {
			const { error, items } = await suite.run({ ...fillFromRow, operation }, [row(wholeRow)]);
			expect(JSON.stringify([error?.message, items])).toContain(
				'only gets a copy, but has a required field: signature on page 2',
			);
		}
		expect(changes()).toEqual([]);
	});
});

describe('two people with one address', () => {
	const both = [ada, { ...bob, email: 'Ada@example.com' }];

	test('are refused where fields come from placeholders, also in a test run', async () => {
		const text = 'Sign {{signature, r1}} here, and {{signature, r2}} there';
		for (const options of [{}, { manualExecutionsSendTo: 'me@example.com' }]) {
			const { error } = await send(both, [], { placeholdersInPdf: true, text, options });
			expect(error?.message).toBe(
				"'Recipients > Row 2' has the same address as another recipient: Ada@example.com [item 0]",
			);
		}
		expect(changes()).toEqual([]);
	});

	test('are right where fields are listed', async () => {
		expect((await send(both, [signature, lower])).error).toBeUndefined();
	});
});

describe('Document: Send', () => {
	test.each([
		['recipient.1@documenso.com', 'has the address of a placeholder: recipient.1@documenso.com'],
		['', 'has no email address'],
		['DIRECT.LINK@documenso.com', 'has the address of a placeholder'],
	])('refuses a recipient with the address "%s"', async (email, problem) => {
		const draft = await suite.document();
		Object.assign(draft.recipients[0] ?? {}, { email });
		const { error } = await sendIt(draft);
		expect(error?.message).toContain(`${draft.id} cannot be sent: Tina`);
		expect(error?.message).toContain(problem);
		expect(error?.description).toContain("'Recipient: Update'");
		expect(changes()).toEqual([]);
	});

	test('needs no address where the link is passed on by hand', async () => {
		const draft = await suite.document();
		Object.assign(draft.recipients[0] ?? {}, { email: '' });
		const { error } = await suite.run({
			...{ resource: 'document', operation: 'send', documentId: byId(draft.id) },
			additionalFields: { distributionMethod: 'NONE' },
		});
		expect(error).toBeUndefined();
		expect(draft.status).toBe('PENDING');
	});

	test('refuses a signer without a signature field, by name', async () => {
		const draft = await suite.document();
		draft.fields = [];
		const { error } = await sendIt(draft);
		expect(error?.message).toContain(
			'Tina (tenant@example.com) is a signer without a signature field',
		);
		expect(error?.description).toContain("'Field: Add'");
		expect(changes()).toEqual([]);
	});

	test('refuses a field that is required, read only and empty, which would never be sealed', async () => {
		const draft = await suite.document();
		const [first] = draft.fields;
		const fieldMeta = { type: 'text', required: true, readOnly: true } as Field['fieldMeta'];
		draft.fields.push({ ...first, id: 9_999, type: 'TEXT', positionY: 20, fieldMeta } as Field);
		const { error } = await sendIt(draft);
		expect(error?.message).toContain('has a field that is required, read only and empty');
		Object.assign(fieldMeta ?? {}, { text: 'Annex A' });
		expect((await sendIt(draft)).error).toBeUndefined();
	});
});

describe('two fields on one spot', () => {
	test('are refused, also those of one person: the lower one cannot be reached', async () => {
		const { error } = await send([ada], [signature, { ...signature, type: 'NAME' }]);
		expect(error?.message).toBe(
			"'Recipients > Row 1' has a field on one spot with their own: name on page 1, at 10 % from the left and 80 % from the top [item 0]",
		);
	});

	test.each([
		['covers the centre of the other', { positionX: 22, positionY: 82, width: 30, height: 6 }],
		['covers most of the other', { positionX: 12, positionY: 81 }],
	])('are refused where one %s', async (_, place) => {
		const { error } = await send([ada, bob], [signature, { ...lower, ...place }]);
		expect(error?.message).toContain('on one spot with that of Ada (ada@example.com)');
	});

	test('are no fault side by side, or on two pages', async () => {
		const others = [
			{ ...signature, type: 'NAME', positionX: 40 },
			{ ...signature, type: 'DATE', positionY: 86 },
		];
		expect((await send([ada], [signature, ...others])).error).toBeUndefined();
	});

	test('are refused in a template', async () => {
		const { fields } = suite.template();
		const [first, second] = fields;
		Object.assign(second ?? {}, { page: first?.page, positionX: first?.positionX });
		Object.assign(second ?? {}, { positionY: first?.positionY });
		const { error } = await suite.run(fillFromRow, [row(wholeRow)]);
		expect(error?.message).toMatch(/cannot be sent: in "Rental agreement", .* on one spot/);
		expect(suite.calls(USE)).toEqual([]);
	});
});

describe('an assistant', () => {
	const inOrder = (...people: object[]) =>
		people.map((one, index) => ({ ...one, signingOrder: index + 1 }));

	test.each([
		['where everyone signs at once', [help, ada], 'but everyone signs at once'],
		['alone', inOrder(help), 'but nobody signs after them'],
		['who comes last', inOrder(ada, help), 'but nobody signs after them'],
		['without an order', [help, ...inOrder(ada)], 'but nobody signs after them'],
		['before a CC only', inOrder(ada, help, cc), 'but nobody signs after them'],
	])('%s is refused', async (_, people, problem) => {
		const place = people.findIndex((one) => 'role' in one && one.role === 'SIGNER') + 1;
		const fields = place > 0 ? [{ ...signature, recipient: `r${place}` }] : [];
		const { error } = await send(people, fields);
		expect(error?.message).toContain(`is an assistant, ${problem}`);
		expect(changes()).toEqual([]);
	});

	test('before a signer is right', async () => {
		const { error } = await send(inOrder(help, ada), [{ ...signature, recipient: 'r2' }]);
		expect(error).toBeUndefined();
	});
});

describe('an address', () => {
	const credential = {
		...{ baseUrl: 'https://documenso.example.com', apiToken: 'api_never_sent' },
		...{ webhookSecret: '', webhookHeader: '' },
	};

	test('without a dot in its domain is refused before any request', async () => {
		const item = await itemWith({ data: { content: await pdf('A lease') } });
		const parameters = {
			...{ resource: 'document', operation: 'createAndSend', title: 'Lease' },
			recipients: { recipient: [{ ...ada, email: 'tina@gmail' }] },
			fields: { field: [signature] },
		};
		const { error } = await runNode(credential, parameters, [item]);
		expect(error?.message).toBe(
			"'Recipients > Row 1' has an address without a dot in its domain: tina@gmail [item 0]",
		);
	});

	test('without a dot is right where Documenso is on a network of its own', async () => {
		const { error } = await send([{ ...ada, email: 'tina@localhost' }], [signature]);
		expect(error).toBeUndefined();
	});

	test.each(['.tina@example.com', 'ti..na@example.com', 'tina.@example.com'])(
		'such as %s is sent with a hint',
		async (email) => {
			const { error, hints } = await send([{ ...ada, email }], [signature]);
			expect(error).toBeUndefined();
			expect(hints.join()).toContain(`Few mailboxes have such an address.<br>${email}`);
			const rows = await suite.run(fillFromRow, [row({ ...wholeRow, 'Tenant email': email })]);
			expect(rows.hints.join()).toContain(`<br>${email}`);
		},
	);
});

describe('in a document that was sent', () => {
	const sent = async () => await suite.document('createAndSend');

	test('the only signature of a signer is not deleted', async () => {
		const { id, fields } = await sent();
		const remove = { resource: 'field', operation: 'delete', fieldId: byId(fields[0]?.id) };
		const { error } = await suite.run(remove);
		expect(error?.message).toContain(
			`${id} was sent, and could not be signed to its end after this: Tina (tenant@example.com) is a signer without a signature field`,
		);
		expect(changes()).toEqual([]);
	});

	test('a signature is not made a text, and not put on another field', async () => {
		const document = await sent();
		const fieldId = byId(document.fields[0]?.id);
		const update = { resource: 'field', operation: 'update', fieldId, type: 'TEXT' };
		expect((await suite.run(update)).error?.message).toContain('without a signature field');
		const add = {
			...{ resource: 'field', operation: 'add', envelopeId: byId(document.id) },
			recipientId: byId(document.recipients[0]?.id),
			...{ type: 'NAME', page: 1, positionX: 10, positionY: 80, width: 30, height: 6 },
		};
		expect((await suite.run(add)).error?.message).toContain('on one spot with their own');
		expect(changes()).toEqual([]);
		expect((await suite.run({ ...add, positionY: 20 })).error).toBeUndefined();
	});

	test('a signer who is added is told to have no signature field yet', async () => {
		const { id } = await sent();
		const { hints } = await suite.run({
			...{ resource: 'recipient', operation: 'add', envelopeId: byId(id) },
			...{ email: 'zoe@example.com', name: 'Zoe', role: 'SIGNER' },
		});
		expect(hints).toEqual([expect.stringMatching(/'Field: Add'.*<br>Zoe \(zoe@example.com\)$/)]);
	});

	test('so is one who becomes a signer again', async () => {
		const document = await sent();
		document.fields = [];
		const { hints } = await suite.run({
			...{ resource: 'recipient', operation: 'update', envelopeId: byId(document.id) },
			recipientId: byId(document.recipients[0]?.id),
			updateFields: { role: 'SIGNER' },
		});
		expect(hints).toEqual([expect.stringContaining('no signature field yet')]);
	});

	test('Resend does not remind a signer without a signature field', async () => {
		const document = await sent();
		document.fields = [];
		const resend = { resource: 'document', operation: 'resend', documentId: byId(document.id) };
		const { error } = await suite.run(resend);
		expect(error?.message).toContain(
			`${document.id} cannot be sent again: Tina (tenant@example.com) is a signer without a signature field`,
		);
		expect(changes()).toEqual([]);
	});

	test('Resend mails no placeholder', async () => {
		const document = await sent();
		const [tina] = document.recipients;
		Object.assign(tina ?? {}, { email: 'recipient.1@documenso.com' });
		const resend = { resource: 'document', operation: 'resend', documentId: byId(document.id) };
		const { error } = await suite.run(resend);
		expect(error?.message).toContain('has the address of a placeholder: recipient.1@documenso.com');
		expect(changes()).toEqual([]);
	});

	test('a link that stays expired is a failure of Resend, and a renewed one is not', async () => {
		const document = await sent();
		const [tina] = document.recipients;
		const resend = { resource: 'document', operation: 'resend', documentId: byId(document.id) };
		suite.service.expire(tina?.id ?? 0);
		document.documentMeta.envelopeExpirationPeriod = { disabled: true };
		const { error } = await suite.run(resend);
		expect(error?.message).toContain(
			'was sent again, but these recipients still cannot sign: Tina',
		);
		expect(error?.description).toContain("Set 'Expiration' with 'Document: Update'");
		document.documentMeta.envelopeExpirationPeriod = { unit: 'month', amount: 1 };
		expect((await suite.run(resend)).error).toBeUndefined();
	});
});

test('a template whose fields may be filled in is sent as before, and takes one request', async () => {
	const { error } = await suite.run(fillFromRow, [row(wholeRow)]);
	expect(error).toBeUndefined();
	expect(lines(suite.service)).toEqual([`GET /envelope/${RENTAL_AGREEMENT.id}`, USE]);
});
