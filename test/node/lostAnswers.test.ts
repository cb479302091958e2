import type { Fault } from '../../emulator/http/faults';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { refusal } from '../support/refusal';
import { lines } from '../support/service';
import {
	byId,
	emailsOf,
	fillFromRow as use,
	row,
	tenants,
	USE,
	useService,
} from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const { calls, documents, upload } = suite;

const rows = tenants(5);
const everyTenant = emailsOf(rows);
const states = () => documents().map(({ status }) => status);

const sending = { resource: 'document', operation: 'send' };

describe('a creation whose answer is lost', () => {
	const lost: Array<[string, Fault]> = [
		['is cut off after it took effect', { cut: 'after' }],
		['is cut off in the middle of its answer', { cut: 'during', afterBytes: 20 }],
		['is answered 500 after it took effect', { status: 500, takesEffect: true }],
		['is answered 502 after it took effect', { status: 502, takesEffect: true }],
		['is answered 503 after it took effect', { status: 503, takesEffect: true }],
		['is answered 504 after it took effect', { status: 504, takesEffect: true }],
		[
			'is answered with a page of a proxy after it took effect',
			{
				status: 200,
				takesEffect: true,
				body: '<html>Sign in</html>',
				headers: { 'content-type': 'text/html' },
			},
		],
		[
			'is answered with cut JSON after it took effect',
			{ status: 200, takesEffect: true, body: '{"id":"enve' },
		],
		[
			'is answered without a body after it took effect',
			{ status: 204, takesEffect: true, body: '' },
		],
	];

	test.each(lost)('%s: the row’s document is found, and no other is made', async (_, fault) => {
		suite.service.fail({ match: USE, ...fault });
		const { items, error } = await suite.run(use, rows);
		expect(error).toBeUndefined();
		expect(calls(USE)).toHaveLength(5);
		expect(suite.tenantEmails()).toEqual(everyTenant);
		expect(states()).toEqual(['PENDING', 'PENDING', 'PENDING', 'PENDING', 'PENDING']);
		const ids = items.map(({ json }) => json.id);
		expect([...ids].sort()).toEqual(
			documents()
				.map(({ id }) => id)
				.sort(),
		);
		for (const { json } of items) {
			expect(json.recipients).toEqual(
				expect.arrayContaining([
					expect.objectContaining({ signingUrl: expect.stringContaining('/sign/') as string }),
				]),
			);
		}
	});

	test('without Retry On Fail nothing is repeated, and the error says where to look', async () => {
		suite.service.fail({ match: USE, cut: 'before' });
		const { items } = await suite.run(use, rows.slice(0, 1), { onError: 'continueRegularOutput' });
		expect(calls(USE)).toHaveLength(1);
		const { externalId, description } = items[0]?.json.details as Record<string, string>;
		expect(externalId).toMatch(/^n8n:execution-\d+:.*:0:0$/);
		expect(description).toContain(
			`the document with the External ID ${externalId ?? ''}. Look for it before`,
		);
	});

	test('a refusal of the service leaves nothing to look for', async () => {
		suite.service.fail({ match: USE, ...refusal('No') });
		const { error } = await suite.run(use, rows.slice(0, 1));
		expect(error?.message).toBe('No');
		expect(lines(suite.service)).toEqual([`GET /envelope/${RENTAL_AGREEMENT.id}`, USE]);
	});

	test('people are found in any case, and one look is enough', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		const { error } = await suite.run(use, [row({ 'Tenant email': 'TINA@Example.com' })]);
		expect(error).toBeUndefined();
		expect(calls('GET /envelope')).toHaveLength(1);
		expect(calls('POST /envelope/distribute')).toHaveLength(0);
	});

	test('a draft that is to be one stays one', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		await suite.run({ ...use, send: false }, [row()]);
		expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
	});

	test('the document is put into the chosen folder, and found there after a lost answer', async () => {
		const [folder] = await suite.outputOf({
			resource: 'folder',
			operation: 'create',
			name: 'Deals',
		});
		suite.service.fail({ match: USE, cut: 'after' });
		const additionalFields = { folderId: folder?.id };
		const { error } = await suite.run({ ...use, additionalFields }, [row()]);
		expect(error).toBeUndefined();
		expect(documents()).toMatchObject([{ folderId: folder?.id }]);
	});

	test('after an answer 408, the node looks whether the document was created', async () => {
		const body = { message: 'Timeout' };
		suite.service.fail({ match: USE, status: 408, takesEffect: true, body });
		const { error } = await suite.run(use, [row()]);
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(1);
	});

	test('while Documenso cannot be asked, the error does not claim that nothing was created', async () => {
		suite.service.fail({ match: USE, ...refusal('Oops', 500) });
		suite.failSearches(3);
		const { error } = await suite.run(use, [row()]);
		expect(error?.message).toBe('Oops');
		expect(error?.description).toContain('Documenso may or may not have created the document');
	});

	test('after a failed send, the error does not claim it either while the document is not found', async () => {
		const appError = { code: 'DOCUMENT_SEND_FAILED', message: 'x' };
		suite.service.fail({ match: USE, status: 400, body: { message: 'x', data: { appError } } });
		const { error } = await suite.run(use, [row()]);
		expect(error?.description).toContain('Documenso may or may not have created the document');
	});
});

describe('a creation from files whose answer is lost', () => {
	const lost: Array<[string, object]> = [
		['a page of a proxy’s', { status: 200, body: '<html>Log in</html>' }],
		['nothing', { status: 200, body: '' }],
		['a list', { status: 200, body: [] }],
		['an object without an id', { status: 200, body: { success: true } }],
		['a redirect', { status: 302, headers: { location: 'https://example.com/login' } }],
		['the time-out of a proxy', { status: 524, body: 'timeout' }],
	];

	test.each(lost)(
		'an answer to the creation that is %s leads to a look, and on with the document',
		async (_, answer) => {
			suite.service.fail({ match: 'POST /envelope/create', takesEffect: true, ...answer });
			const { items, error } = await upload();
			expect(error).toBeUndefined();
			expect(documents()).toMatchObject([{ id: items[0]?.json.id, status: 'PENDING' }]);
			expect(lines(suite.service)).toEqual([
				'POST /envelope/create',
				'GET /envelope',
				`GET /envelope/${items[0]?.json.id as string}`,
				'POST /envelope/distribute',
			]);
		},
	);

	test('when the search for a lost document fails too, the error says what to look for', async () => {
		suite.service.fail({ match: 'POST /envelope/create', cut: 'after' });
		suite.service.fail({
			match: 'GET /envelope',
			times: 3,
			...refusal('Down', 500),
		});
		const { error } = await upload({
			additionalFields: { externalId: 'row-9', ifExternalIdExists: 'create' },
		});
		expect(error?.description).toContain('the document with the External ID row-9');
	});

	test('a document that is not found is to be looked for again, because Documenso may still be at work', async () => {
		suite.service.fail({ match: 'POST /envelope/create', cut: 'before' });
		const { error } = await upload();
		expect(documents()).toHaveLength(0);
		expect(error?.description).toContain(
			'Running the workflow again instead could create it twice',
		);
	});
});

describe('a send whose answer is lost', () => {
	test('of what was just created is done when the document is sent', async () => {
		suite.service.fail({ match: 'POST /envelope/distribute', cut: 'after' });
		const { items, error } = await upload();
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({
			status: 'PENDING',
			recipients: [{ email: 'tenant@example.com' }],
		});
		expect(calls('POST /envelope/distribute')).toHaveLength(1);
	});

	test('of a draft is done when its audit log says so, though the answer was lost', async () => {
		const { id } = await suite.document();
		suite.service.fail({ match: 'POST /envelope/distribute', cut: 'after' });
		const { items, error } = await suite.run({ ...sending, documentId: byId(id) });
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ status: 'PENDING', id });
		expect(lines(suite.service)).toContain(`GET /envelope/${id}/audit-log`);
	});

	test('of a document that is finished says so, and not to try again', async () => {
		const { id } = await suite.document('createAndSend');
		await suite.complete(id);
		const { error } = await suite.run({ ...sending, documentId: byId(id) });
		expect(error?.message).toBe(
			`The document ${id} is completed, so it cannot be sent any more [item 0]`,
		);
		expect(error?.description).not.toContain('try again');
	});

	test('of a draft may be under way still: it is looked at again, and again, before it counts as not sent', async () => {
		const { id } = await suite.document();
		suite.service.fail({ match: 'POST /envelope/distribute', status: 504, body: 'Too late' });
		const { error } = await suite.run({ ...sending, documentId: byId(id) });
		expect(lines(suite.service)).toEqual([
			`GET /envelope/${id}`,
			'POST /envelope/distribute',
			...Array<string>(3).fill(`GET /envelope/${id}`),
		]);
		expect(error?.description).toContain(
			`The status of the document ${id} is draft now. Look at it`,
		);
	});

	test('of a document that was sent before proves nothing', async () => {
		const { id, auditLog } = await suite.document('createAndSend');
		for (const entry of auditLog) {
			entry.createdAt = new Date(0);
		}
		suite.service.fail({ match: 'POST /envelope/distribute', cut: 'before' });
		const { error } = await suite.run({
			...sending,
			documentId: byId(id),
			additionalFields: { subject: 'Again' },
		});
		expect(error?.description).toContain(
			`The status of the document ${id} is pending now. Look at it`,
		);
	});

	test.each([
		['refused', refusal('No', 403)],
		['a page of a proxy’s', { status: 200, body: '<html>' }],
		['of another form', { status: 200, body: { data: [{ type: 'DOCUMENT_SENT' }] } }],
		['lost', { cut: 'after' as const, times: 5 }],
	])('proves nothing where the audit log is %s', async (_, answer) => {
		const { id } = await suite.document('createAndSend');
		suite.service.fail({ match: 'POST /envelope/distribute', cut: 'before' });
		suite.service.fail({ match: `GET /envelope/${id}/audit-log`, ...answer });
		const { items, error } = await suite.run({ ...sending, documentId: byId(id) });
		expect(items).toEqual([]);
		expect(lines(suite.service)).toContain(`GET /envelope/${id}/audit-log`);
		expect(error?.description).toContain(
			`The status of the document ${id} is pending now. Look at it`,
		);
	});

	test('is not sent again by a retry', async () => {
		const { id } = await suite.document();
		suite.service.fail({ match: 'POST /envelope/distribute', cut: 'after' });
		await suite.run({ ...sending, documentId: byId(id) }, [{ json: {} }], { maxTries: 2 });
		expect(calls('POST /envelope/distribute')).toHaveLength(1);
	});
});

describe('a deletion whose answer is lost', () => {
	const remove = (id: string) => ({
		resource: 'document',
		operation: 'delete',
		documentId: byId(id),
	});

	test.each<['create' | 'createAndSend', string]>([
		['create', 'a draft'],
		['createAndSend', 'a document that is out'],
	])('is done: by %s, %s is gone', async (operation) => {
		const { id } = await suite.document(operation);
		suite.service.fail({ match: 'POST /envelope/delete', cut: 'after' });
		expect(await suite.outputOf(remove(id))).toEqual([{ id, deleted: true }]);
	});

	test('is done when a finished document has a date of deletion', async () => {
		const { id } = await suite.document('createAndSend');
		await suite.complete(id);
		suite.service.fail({ match: 'POST /envelope/delete', cut: 'after' });
		expect(await suite.outputOf(remove(id))).toEqual([{ id, deleted: true }]);
	});

	test('is an error when the document is still there', async () => {
		const { id } = await suite.document();
		suite.service.fail({ match: 'POST /envelope/delete', cut: 'before' });
		const { error } = await suite.run(remove(id));
		expect(error?.description).toContain('may have done it nevertheless. Check in Documenso');
	});
});
