import { lines, sentTo } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService();
const base = { resource: 'attachment' };
const link = { label: 'House rules', data: 'https://example.com/rules' };

async function attached() {
	const { id } = await suite.document();
	const create = { ...base, operation: 'create', envelopeId: byId(id), ...link };
	const [attachment] = await suite.outputOf(create);
	return { id, attachmentId: attachment?.id };
}

test('Create puts a link beside a document, and Get Many lists it', async () => {
	const { id, attachmentId } = await attached();
	expect(sentTo(suite.service, 'POST /envelope/attachment/create')).toEqual({
		envelopeId: id,
		data: link,
	});
	const listed = await suite.outputOf({ ...base, operation: 'getAll', envelopeId: byId(id) });
	expect(listed).toEqual([{ id: attachmentId, type: 'link', ...link }]);
});

test('Update changes label and address', async () => {
	const { attachmentId } = await attached();
	const changed = { label: 'New rules', data: 'https://example.com/new' };
	const update = { ...base, operation: 'update', attachmentId: byId(attachmentId), ...changed };
	expect(await suite.outputOf(update)).toEqual([{ id: attachmentId, ...changed }]);
	expect(sentTo(suite.service, 'POST /envelope/attachment/update')).toEqual({
		id: attachmentId,
		data: changed,
	});
});

test('Delete takes the link away', async () => {
	const { id, attachmentId } = await attached();
	const remove = { ...base, operation: 'delete', attachmentId: byId(attachmentId) };
	expect(await suite.outputOf(remove)).toEqual([{ id: attachmentId, deleted: true }]);
	expect(sentTo(suite.service, 'POST /envelope/attachment/delete')).toEqual({ id: attachmentId });
	const list = { ...base, operation: 'getAll', envelopeId: byId(id) };
	expect(await suite.outputOf(list)).toEqual([]);
});

test.each([
	[{ data: 'ftp://example.com' }, "'URL' is not a URL with http:// or https://"],
	[{ label: '={{ "" }}' }, "'Label' is empty"],
])('%j is refused before any request', async (changes, message) => {
	const { id } = await suite.document();
	const create = { ...base, operation: 'create', envelopeId: byId(id), ...link, ...changes };
	const { error } = await suite.run(create);
	expect(error?.message).toContain(message);
	expect(lines(suite.service)).toEqual([]);
});
