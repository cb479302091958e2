import { bytesOf, itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines, sentTo } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService();
const base = { resource: 'file' };

test('Add puts PDFs behind those of a draft', async () => {
	const { id } = await suite.document();
	const item = await itemWith({
		a: { content: await pdf('One'), name: 'one.pdf' },
		b: { content: await pdf('Two'), name: 'two.pdf' },
	});
	const parameters = {
		...base,
		operation: 'add',
		envelopeId: byId(id),
		binaryPropertyName: 'a, b',
	};
	const added = await suite.outputOf(parameters, [item]);
	expect(sentTo(suite.service, 'POST /envelope/item/create-many')).toEqual({ envelopeId: id });
	expect(added).toMatchObject([
		{ title: 'one.pdf', order: 2, envelopeId: id },
		{ title: 'two.pdf', order: 3 },
	]);
});

test('Update renames a file and gives it another place', async () => {
	const { id, items } = await suite.document();
	const [updated] = await suite.outputOf({
		...base,
		operation: 'update',
		envelopeId: byId(id),
		envelopeItemId: byId(items[0]?.id),
		updateFields: { title: 'Lease of Tina', order: 2 },
	});
	expect(sentTo(suite.service, 'POST /envelope/item/update-many')).toEqual({
		envelopeId: id,
		data: [{ envelopeItemId: items[0]?.id, title: 'Lease of Tina', order: 2 }],
	});
	expect(updated).toMatchObject({ title: 'Lease of Tina', order: 2 });
});

test('Add explains a placeholder of a recipient that there is not', async () => {
	const { id } = await suite.document();
	const content = await pdf('Sign here: {{signature, r9}}');
	const item = await itemWith({ data: { content, name: 'annex.pdf' } });
	const { error } = await suite.run({ ...base, operation: 'add', envelopeId: byId(id) }, [item]);
	expect(error?.message).toBe(
		'annex.pdf contains a placeholder for the recipient r9, but there is no such recipient',
	);
});

test('Delete takes a file out of a draft', async () => {
	const { id, items } = await suite.document();
	const envelopeItemId = items[0]?.id;
	const [deleted] = await suite.outputOf({
		...base,
		operation: 'delete',
		envelopeId: byId(id),
		envelopeItemId: byId(envelopeItemId),
	});
	expect(sentTo(suite.service, 'POST /envelope/item/delete')).toEqual({
		envelopeId: id,
		envelopeItemId,
	});
	expect(deleted).toEqual({ id: envelopeItemId, deleted: true });
});

describe('Download', () => {
	test('returns the one file', async () => {
		const { id, items } = await suite.document('createAndSend');
		await suite.complete(id);
		const { items: files } = await suite.run({
			...base,
			operation: 'download',
			envelopeId: byId(id),
			envelopeItemId: byId(items[0]?.id),
		});
		expect(files[0]?.json).toMatchObject({ id: items[0]?.id, envelopeId: id, status: 'COMPLETED' });
		expect((await bytesOf(files[0])).subarray(0, 5).toString()).toBe('%PDF-');
		expect(lines(suite.service)).toEqual([
			`GET /envelope/${id}`,
			`GET /envelope/item/${items[0]?.id ?? ''}/download`,
		]);
	});

	test('refuses the signed file of an unfinished document', async () => {
		const { id, items } = await suite.document('createAndSend');
		const { error } = await suite.run({
			...base,
			operation: 'download',
			envelopeId: byId(id),
			envelopeItemId: byId(items[0]?.id),
		});
		expect(error?.message).toContain("isn't completed yet (status: pending)");
	});

	test('names the files that there are when the chosen one is none of them', async () => {
		const { id, items } = await suite.document();
		const { error } = await suite.run({
			...base,
			operation: 'download',
			envelopeId: byId(id),
			envelopeItemId: byId('envelope_item_unknown'),
		});
		expect(error?.description).toContain(items[0]?.id);
	});
});
