import { resources } from '../../nodes/Documenso/resources';
import { lines, sentTo } from '../support/service';
import { mapped, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
// Once the resource is taken out of the registry, nothing of this is left to test.
const isThere = resources.some(({ value }) => value === 'templateDeprecated');

(isThere ? describe : describe.skip)('the deprecated template endpoints', () => {
	const number = () => suite.template().legacyId;
	const of = (operation: string, changes = {}) => ({
		resource: 'templateDeprecated',
		operation,
		templateNumber: number(),
		...changes,
	});

	test('Get Many lists templates with their numbers', async () => {
		const listed = await suite.outputOf(of('getAll', { filters: { type: 'PRIVATE' } }));
		expect(lines(suite.service)).toEqual(['GET /template']);
		expect(suite.service.calls[0]?.query).toMatchObject({ type: 'PRIVATE', perPage: '50' });
		expect(listed.map(({ id }) => id)).toContain(number());
		expect(listed[0]).toHaveProperty('envelopeId');
	});

	test('a list may have its page numbers in a nested object, as the API’s description says', async () => {
		for (const [page, title] of [
			[1, 'A'],
			[2, 'B'],
		] as const) {
			const pagination = { page, perPage: 1, totalPages: 2, totalItems: 2 };
			const body = { data: [{ id: page, title, envelopeId: 'envelope_a' }], pagination };
			suite.service.fail({ match: 'GET /template', status: 200, body });
		}
		const listed = await suite.outputOf(of('getAll', { returnAll: true }));
		expect(listed.map(({ title }) => title)).toEqual(['A', 'B']);
	});

	test('Get reads a template', async () => {
		const [read] = await suite.outputOf(of('get'));
		expect(lines(suite.service)).toEqual([`GET /template/${number()}`]);
		expect(read).toMatchObject({ id: number(), title: 'Rental agreement' });
	});

	test('Create Document fills a template in, with the labels that it has', async () => {
		const [document] = await suite.outputOf(
			of('createDocument', {
				columns: mapped({ 'Tenant email': 'tina@example.com', Rent: 900 }),
				additionalFields: { externalId: 'row-1', title: 'Lease' },
			}),
		);
		const lookUp = ['GET /folder', 'GET /envelope'];
		expect(lines(suite.service)).toEqual([
			'POST /envelope/get-many',
			...lookUp,
			'POST /template/use',
		]);
		expect(sentTo(suite.service, 'POST /template/use')).toMatchObject({
			templateId: number(),
			externalId: 'row-1',
			distributeDocument: true,
			recipients: [{ email: 'tina@example.com', name: '' }],
			prefillFields: [{ type: 'number', label: 'Rent', value: '900' }],
			override: { title: 'Lease' },
		});
		expect(document).toMatchObject({
			title: 'Lease',
			envelopeId: expect.stringMatching(/^envelope_/) as string,
		});
		expect(document).not.toHaveProperty('documentData');
	});

	test('a document for which an execution waits is returned without its marker', async () => {
		const waitedFor = await suite.document();
		waitedFor.externalId = 'row-1 n8n-wait:abcdef:1:x';
		const additionalFields = { externalId: 'row-1', ifExternalIdExists: 'skip' };
		const columns = mapped({ 'Tenant email': 'tina@example.com' });
		const create = of('createDocument', { columns, additionalFields, send: false, output: 'raw' });
		const [document] = await suite.outputOf(create);
		expect(document).toMatchObject({ envelopeId: waitedFor.id, externalId: 'row-1' });
	});

	test('a number that no template has is named before anything is created', async () => {
		const { error } = await suite.run(of('createDocument', { templateNumber: 999 }));
		expect(error?.message).toBe(
			"'Template Number' is 999, but no template has this number [item 0]",
		);
		expect(lines(suite.service)).toEqual(['POST /envelope/get-many']);
	});

	// To n8n, a workflow that relied on a default has no number.
	test.each(['createDocument', 'delete', 'duplicate', 'get', 'update'])(
		'%s without a number is refused, and touches no template',
		async (operation) => {
			const { templateNumber: _unset, ...unedited } = of(operation);
			const unset = suite.run(unedited);
			await expect(unset).rejects.toThrow('Parameter "Template Number" is required');
			const { error } = await suite.run(of(operation, { templateNumber: "={{ '' }}" }));
			expect(error?.message).toBe("'Template Number' is missing [item 0]");
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test.each(['1', 1])('the number may be text or a number: %j', async (templateNumber) => {
		suite.template().legacyId = 1;
		await suite.outputOf(of('get', { templateNumber }));
		expect(lines(suite.service)).toEqual(['GET /template/1']);
	});

	test('Update changes the title and the type', async () => {
		const updateFields = { title: 'Lease 2027', templateType: 'PUBLIC' };
		const [updated] = await suite.outputOf(of('update', { updateFields }));
		expect(sentTo(suite.service, 'POST /template/update')).toEqual({
			templateId: number(),
			data: { title: 'Lease 2027', type: 'PUBLIC' },
			meta: {},
		});
		expect(updated).toMatchObject({ id: number(), title: 'Lease 2027' });
	});

	test('Update leaves the emails that it does not name as they are', async () => {
		suite.template().documentMeta.emailSettings.documentCompleted = false;
		await suite.outputOf(of('update', { updateFields: { emailsOff: ['recipientSigned'] } }));
		expect(sentTo(suite.service, 'POST /template/update').meta).toMatchObject({
			emailSettings: { documentCompleted: false, recipientSigned: false },
		});
	});

	test('what the endpoints would drop is refused before any change', async () => {
		const period = { expiresAmount: 1, expiresUnit: 'week' };
		const reminders = {
			...{ sendAfterAmount: 1, sendAfterUnit: 'day' },
			...{ repeatEveryAmount: 1, repeatEveryUnit: 'day' },
		};
		for (const updateFields of [
			{ envelopeExpirationPeriod: { period } },
			{ reminderSettings: { reminders } },
		]) {
			const { error } = await suite.run(of('update', { updateFields }));
			expect(error?.message).toContain('is empty');
		}
		suite.template().documentMeta.signingOrder = 'SEQUENTIAL';
		const columns = mapped({
			'Tenant email': 'tina@example.com',
			'Tenant signing order': 2,
		});
		const { error } = await suite.run(of('createDocument', { columns }));
		expect(error?.message).toContain("'Tenant signing order' is not in the template");
		expect(lines(suite.service)).toEqual(['POST /envelope/get-many']);
	});

	test('Duplicate makes a copy', async () => {
		const [copy] = await suite.outputOf(of('duplicate'));
		expect(sentTo(suite.service, 'POST /template/duplicate')).toEqual({ templateId: number() });
		expect(copy).toMatchObject({ title: 'Rental agreement (copy)' });
	});

	test('Delete removes a template', async () => {
		const templateId = number();
		const [deleted] = await suite.outputOf(of('delete'));
		expect(sentTo(suite.service, 'POST /template/delete')).toEqual({ templateId });
		expect(deleted).toEqual({ id: templateId, deleted: true });
	});
});
