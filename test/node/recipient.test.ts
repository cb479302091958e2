import { byId, useService } from '../support/suite';
import { lines, sentTo } from '../support/service';

const suite = useService();
const base = { resource: 'recipient' };

test('Add puts a recipient into a document', async () => {
	const { id } = await suite.document();
	const [added] = await suite.outputOf({
		...base,
		operation: 'add',
		envelopeId: byId(id),
		email: 'anna@example.com',
		name: 'Anna',
		role: 'APPROVER',
		additionalFields: { signingOrder: 2, accessAuth: ['ACCOUNT'] },
	});
	expect(sentTo(suite.service, 'POST /envelope/recipient/create-many')).toEqual({
		envelopeId: id,
		data: [
			{
				email: 'anna@example.com',
				name: 'Anna',
				role: 'APPROVER',
				signingOrder: 2,
				accessAuth: ['ACCOUNT'],
			},
		],
	});
	expect(added).toMatchObject({
		email: 'anna@example.com',
		role: 'APPROVER',
		sendStatus: 'NOT_SENT',
	});
	expect(added).not.toHaveProperty('token');
});

test('Add refuses a malformed email before any request', async () => {
	const { id } = await suite.document();
	const { error } = await suite.run({
		...base,
		operation: 'add',
		envelopeId: byId(id),
		email: 'anna',
	});
	expect(error?.message).toBe('\'Email\' is not an email address: "anna" [item 0]');
	expect(lines(suite.service)).toEqual([]);
});

test('Update changes what is given, and nothing else', async () => {
	const { id, recipients } = await suite.document();
	const [tenant] = recipients;
	if (tenant) tenant.authOptions = { accessAuth: ['ACCOUNT'], actionAuth: [] };
	const [updated] = await suite.outputOf({
		...base,
		operation: 'update',
		envelopeId: byId(id),
		recipientId: byId(recipients[0]?.id),
		updateFields: { name: 'Tina Turner' },
	});
	expect(sentTo(suite.service, 'POST /envelope/recipient/update-many')).toEqual({
		envelopeId: id,
		data: [
			{
				id: recipients[0]?.id,
				name: 'Tina Turner',
				accessAuth: ['ACCOUNT'],
				actionAuth: [],
			},
		],
	});
	expect(updated).toMatchObject({ name: 'Tina Turner', email: 'tenant@example.com' });
});

test('Update without a change is refused', async () => {
	const { id } = await suite.document();
	const { error } = await suite.run({
		...base,
		operation: 'update',
		envelopeId: byId(id),
		recipientId: byId(1),
	});
	expect(error?.message).toBe("'Update Fields' is empty [item 0]");
});

test('Get reads a recipient; Simplify leaves the signing token out', async () => {
	const { recipients } = await suite.document();
	const get = { ...base, operation: 'get', recipientId: byId(recipients[0]?.id) };
	const [simple] = await suite.outputOf(get);
	expect(lines(suite.service)).toEqual([`GET /envelope/recipient/${recipients[0]?.id ?? ''}`]);
	expect(simple).toMatchObject({ id: recipients[0]?.id, email: 'tenant@example.com' });
	expect(Object.keys(simple ?? {}).length).toBeLessThanOrEqual(10);
	const [raw] = await suite.outputOf({ ...get, output: 'raw' });
	expect(raw).toHaveProperty('token');
});

test('Get Signing Link makes the link that the service does not give', async () => {
	const { id, recipients } = await suite.document();
	const [link] = await suite.outputOf({
		...base,
		operation: 'getSigningLink',
		recipientId: byId(recipients[0]?.id),
	});
	expect(link).toEqual({
		id: recipients[0]?.id,
		envelopeId: id,
		email: 'tenant@example.com',
		name: 'Tina',
		role: 'SIGNER',
		signingStatus: 'NOT_SIGNED',
		signingUrl: `${suite.service.url}/sign/${recipients[0]?.token ?? ''}`,
	});
});

test('Get Signing Link says why Documenso shows none', async () => {
	const { recipients } = await suite.document('createAndSend');
	const [recipient] = recipients;
	if (recipient) recipient.token = '';
	const get = { ...base, operation: 'getSigningLink', recipientId: byId(recipient?.id) };
	expect((await suite.run(get)).error).toMatchObject({
		message: 'Documenso shows no signing link for tenant@example.com [item 0]',
		description: expect.stringContaining("API token of the document's owner") as string,
	});
});

test('Delete takes a recipient out', async () => {
	const { id, recipients } = await suite.document();
	const recipientId = recipients[0]?.id;
	const [deleted] = await suite.outputOf({
		...base,
		operation: 'delete',
		recipientId: byId(recipientId),
	});
	expect(sentTo(suite.service, 'POST /envelope/recipient/delete')).toEqual({ recipientId });
	expect(deleted).toEqual({ id: recipientId, deleted: true });
	expect(suite.service.store.envelopes.get(id)?.recipients).toEqual([]);
});

test('Reject on Behalf ends the document', async () => {
	const { id, recipients } = await suite.document('createAndSend');
	const [rejected] = await suite.outputOf({
		...base,
		operation: 'rejectOnBehalf',
		documentId: byId(id),
		recipientId: byId(recipients[0]?.id),
		reason: 'Moved away',
	});
	expect(
		sentTo(suite.service, `POST /envelope/recipient/${recipients[0]?.id ?? ''}/reject`),
	).toEqual({ envelopeId: id, reason: 'Moved away' });
	expect(rejected).toMatchObject({ signingStatus: 'REJECTED', rejectionReason: 'Moved away' });
	await suite.service.settled();
	expect(suite.service.store.envelopes.get(id)?.status).toBe('REJECTED');
});

test('an ID that is no number is refused before any request', async () => {
	const { error } = await suite.run({
		...base,
		operation: 'get',
		recipientId: byId('={{ "x1" }}'),
	});
	expect(error?.message).toBe("'Recipient' is not a number [item 0]");
	expect(lines(suite.service)).toEqual([]);
});
