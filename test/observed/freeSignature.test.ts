import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { sentTo } from '../support/service';
import { byId, contract, fillFromRow, mapped, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

const [signature] = contract.fields.field;
const free = { ...signature, type: 'FREE_SIGNATURE', positionY: 60 };
const withFree = { fields: { field: [signature, free] } };
const CANNOT = 'Documenso cannot use a field of type Free Signature';

interface Shown {
	value?: unknown;
	options?: object[];
	values?: object[];
}

/** The values of every list of options in the editor, however deep. */
function offered(properties: object[]): unknown[] {
	return properties.flatMap((property) => {
		const { value, options = [], values = [] }: Shown = property;
		return [value, ...offered(options), ...offered(values)];
	});
}

describe('13.6 Free Signature', () => {
	test('is not offered any more', () => {
		const values = new Set(offered(new Documenso().description.properties));
		expect(values.has('SIGNATURE')).toBe(true);
		expect(values.has('FREE_SIGNATURE')).toBe(false);
	});

	test('is passed through where a workflow has it stored', async () => {
		const document = await suite.document('create', withFree);
		expect(document.fields.map(({ type }) => type)).toEqual(['SIGNATURE', 'FREE_SIGNATURE']);
	});

	test('cannot be sent, and the error of Send names the field and whose it is', async () => {
		const { id, fields } = await suite.document('create', withFree);
		const { error } = await suite.run({
			resource: 'document',
			operation: 'send',
			documentId: byId(id),
		});
		expect(error?.message).toBe(`${CANNOT}: field ${fields[1]?.id} on page 1, for Tina`);
		expect(error?.description).toContain('Use the type Signature instead.');
		expect(error?.description).toContain('One or more fields have invalid metadata');
	});

	test('leaves the draft of Create and Send in the error', async () => {
		const item = await itemWith({ data: { content: await pdf('A lease') } });
		const send = { resource: 'document', operation: 'createAndSend', ...contract, ...withFree };
		const { error } = await suite.run(send, [item]);
		const [draft] = suite.service.store.documents;
		expect(error?.message).toContain(`${CANNOT}: field ${draft?.fields[1]?.id} on page 1`);
		expect(error?.description).toContain(`The document ${draft?.id} was created`);
		expect(error?.description).toContain('Use the type Signature instead.');
	});

	test('of a template is named when its document cannot be sent', async () => {
		const landlord = suite
			.template()
			.fields.find(({ id }) => id === RENTAL_AGREEMENT.fields.landlordSignature);
		Object.assign(landlord ?? {}, { type: 'FREE_SIGNATURE', fieldMeta: null });
		const { error } = await suite.run({
			...fillFromRow,
			columns: mapped({ 'Tenant email': 'tina@example.com' }),
		});
		expect(error?.message).toContain(CANNOT);
		expect(error?.message).toContain('on page 2, for Anna Landlord');
	});

	test('becomes a Signature by Field: Update, and the document is sent', async () => {
		const { id, fields } = await suite.document('create', withFree);
		await suite.outputOf({
			resource: 'field',
			operation: 'update',
			fieldId: byId(fields[1]?.id),
			type: 'SIGNATURE',
		});
		const send = { resource: 'document', operation: 'send', documentId: byId(id) };
		expect(await suite.outputOf(send)).toMatchObject([{ status: 'PENDING' }]);
	});

	test.each([
		['add', 'page 2'],
		['update', /field \d+/],
	])('with settings is refused by the service: Field: %s explains it', async (operation, where) => {
		const { id, recipients, fields } = await suite.document();
		const { error } = await suite.run(
			{
				resource: 'field',
				operation,
				envelopeId: byId(id),
				recipientId: byId(recipients[0]?.id),
				fieldId: byId(fields[0]?.id),
				type: '={{ $json.type }}',
				page: 2,
				settings: { label: 'Here' },
			},
			[{ json: { type: 'free_signature' } }],
		);
		const many = `POST /envelope/field/${operation === 'add' ? 'create' : 'update'}-many`;
		expect(sentTo(suite.service, many)).toMatchObject({
			data: [{ type: 'FREE_SIGNATURE', fieldMeta: { label: 'Here' } }],
		});
		expect(error?.message).toContain(CANNOT);
		expect(error?.message).toMatch(where);
		expect(error?.httpCode).toBe('400');
	});

	test('with settings in the JSON of a new document is refused, and explained', async () => {
		const item = await itemWith({ data: { content: await pdf('A lease') } });
		const { recipient: _, ...place } = free;
		const { error } = await suite.run(
			{
				resource: 'document',
				operation: 'create',
				title: 'Lease',
				specifyRecipients: 'json',
				recipientsJson: [
					{
						email: 'tina@example.com',
						fields: [{ ...place, fieldMeta: { type: 'free_signature' } }],
					},
				],
			},
			[item],
		);
		expect(error?.message).toBe(`${CANNOT}: page 1, for tina@example.com`);
		expect(error?.description).toContain('Expected undefined, received object');
	});

	test('is not blamed for what is refused for another reason', async () => {
		const { id } = await suite.document('create', withFree);
		const error = { message: 'No', data: { appError: { code: 'OTHER', message: 'No' } } };
		suite.service.fail({ match: 'POST /envelope/distribute', status: 400, body: error });
		const send = { resource: 'document', operation: 'send', documentId: byId(id) };
		expect((await suite.run(send)).error?.message).toBe('No');
	});
});
