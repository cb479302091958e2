import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { itemWith } from '../support/n8n';
import { refusal } from '../support/refusal';
import { pdf } from '../support/pdf';
import { byId, contract, fillFromRow, mapped, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

const create = { resource: 'document', operation: 'create', ...contract };

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
		[
			'Template: Create Document',
			'/envelope/use',
			{
				...fillFromRow,
				columns: mapped({ 'Tenant email': 'tina@example.com' }),
				additionalFields: {
					replacedFiles: { file: [{ envelopeItemId: RENTAL_AGREEMENT.itemId, property: 'data' }] },
				},
			},
		],
		[
			'File: Add',
			'/envelope/item/create-many',
			{ resource: 'file', operation: 'add', envelopeId: byId(RENTAL_AGREEMENT.id) },
		],
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
		const columns = mapped({ 'Tenant email': 'tina@example.com' });
		const used = await suite.run({ ...fillFromRow, columns }, [{ json: {} }]);
		expect(used.error?.message).not.toContain('unable to read');
	});
});
