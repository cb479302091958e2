import type { IDataObject } from 'n8n-workflow';

import { byId, tenants, useService, withId } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });

/** Changes all records that Documenso answers with: one, several or a page of them. */
function change(line: string, edit: (record: IDataObject) => void) {
	suite.service.intercept(line, async ({ pass }) => {
		const answer = await pass();
		const body = JSON.parse(answer.body) as IDataObject & { data?: IDataObject[] };
		for (const record of body.data ?? [body]) edit(record);
		return { ...answer, body: JSON.stringify(body) };
	});
}

const ONE = 'GET /envelope/envelope_*';
const MANY = 'POST /envelope/get-many';
const LIST = 'GET /envelope';

/** Documenso may add and drop such things, and has them for documents of older versions. */
const ownerless = (record: IDataObject) => {
	for (const field of record.fields as IDataObject[]) field.recipientId = null;
};
const unnumbered = (record: IDataObject) => {
	delete record.secondaryId;
};
const fieldless = (record: IDataObject) => {
	delete record.fields;
	delete record.envelopeItems;
};

const skip = withId({ ifExternalIdExists: 'skip' });

describe('what an operation does not need may be missing in what Documenso answers', () => {
	const edits = { ownerless, unnumbered };
	test.each(Object.entries(edits))('for a download (%s)', async (_, edit) => {
		const { id } = await suite.document('createAndSend');
		change(ONE, edit);
		const download = { resource: 'document', operation: 'download', version: 'original' };
		const { error, items } = await suite.run({ ...download, documentId: byId(id) }, tenants(1));
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	test.each(Object.entries({ ...edits, fieldless }))('for a resend (%s)', async (_, edit) => {
		const { id } = await suite.document('createAndSend');
		change(ONE, edit);
		const resend = { resource: 'document', operation: 'resend', documentId: byId(id) };
		const { error, items } = await suite.run(resend, tenants(1));
		expect(error).toBeUndefined();
		expect(items[0]?.json.resentTo).toHaveLength(1);
	});

	test.each(Object.entries({ ...edits, fieldless }))(
		'for rows that are run again with Skip (%s)',
		async (_, edit) => {
			const [made] = await suite.outputOf(skip, tenants(1));
			change(LIST, unnumbered);
			change(MANY, edit);
			const { error, items } = await suite.run(skip, tenants(1));
			expect(error).toBeUndefined();
			expect(items[0]?.json).toMatchObject({ id: made?.id, alreadyExisted: true });
		},
	);

	test('for a document whose answer to sending was lost', async () => {
		const { id } = await suite.document();
		change(ONE, (record) => {
			fieldless(record);
			unnumbered(record);
		});
		suite.service.intercept('POST /envelope/distribute', async ({ pass }) => {
			await pass();
			return 'cut' as const;
		});
		const send = { resource: 'document', operation: 'send', documentId: byId(id) };
		const { error, items } = await suite.run(send, tenants(1));
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ id, status: 'PENDING' });
	});

	test('for a template that is filled in', async () => {
		change('GET /envelope/envelope_rentalagreements', unnumbered);
		const { error } = await suite.run(skip, tenants(1));
		expect(error).toBeUndefined();
	});
});

describe('Get Many by IDs', () => {
	const byIds = { resource: 'document', operation: 'getByIds', id: '={{ $json.id }}' };

	test('returns records that have no number', async () => {
		const [one, two] = [await suite.document(), await suite.document()];
		change(MANY, unnumbered);
		const rows = [{ json: { id: one.id } }, { json: { id: two.id } }];
		const { error, items } = await suite.run(byIds, rows);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual([one.id, two.id]);
	});

	test('asks for each by its number alone, if the records do not say which has it', async () => {
		const [one, two] = [await suite.document(), await suite.document()];
		change(MANY, unnumbered);
		const rows = [one, two].map(({ legacyId: id }) => ({ json: { id } }));
		const { error, items } = await suite.run({ ...byIds, idType: 'documentId' }, rows);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual([one.id, two.id]);
	});
});
