import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { lines, sentTo } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const base = { resource: 'directLink', templateId: byId(RENTAL_AGREEMENT.id) };

test('Create makes a public link, with the number derived from the template', async () => {
	const recipientId = byId(RENTAL_AGREEMENT.tenantId);
	const [link] = await suite.outputOf({ ...base, operation: 'create', recipientId });
	expect(lines(suite.service)).toEqual([
		`GET /envelope/${RENTAL_AGREEMENT.id}`,
		'POST /template/direct/create',
	]);
	expect(sentTo(suite.service, 'POST /template/direct/create')).toEqual({
		templateId: suite.template().legacyId,
		directRecipientId: RENTAL_AGREEMENT.tenantId,
	});
	expect(link).toMatchObject({
		enabled: true,
		url: `${suite.service.url}/d/${link?.token as string}`,
	});
});

test.each([
	['enable', true],
	['disable', false],
])('%s switches the link', async (operation, enabled) => {
	await suite.outputOf({ ...base, operation: 'create' });
	const [link] = await suite.outputOf({ ...base, operation });
	expect(sentTo(suite.service, 'POST /template/direct/toggle')).toEqual({
		templateId: suite.template().legacyId,
		enabled,
	});
	expect(link).toMatchObject({ enabled, url: expect.stringContaining('/d/') as string });
});

test('Delete takes the link away', async () => {
	await suite.outputOf({ ...base, operation: 'create' });
	const [deleted] = await suite.outputOf({ ...base, operation: 'delete' });
	expect(sentTo(suite.service, 'POST /template/direct/delete')).toEqual({
		templateId: suite.template().legacyId,
	});
	expect(deleted).toEqual({ templateId: RENTAL_AGREEMENT.id, deleted: true });
});

test('a document has no direct link', async () => {
	const { id } = await suite.document();
	const { error } = await suite.run({ ...base, operation: 'create', templateId: byId(id) });
	expect(error?.message).toBe(`'Template' is the ID of a document: ${id} [item 0]`);
});
