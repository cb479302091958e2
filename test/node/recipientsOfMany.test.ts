import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { folder, paperwork } from '../support/polling';
import { lines } from '../support/service';
import { byId, signature, useService } from '../support/suite';

const suite = useService();
const paper = paperwork(suite);

const DAY_MS = 86_400_000;

const getMany = (changes: IDataObject = {}): IDataObject => ({
	resource: 'recipient',
	operation: 'getAll',
	returnAll: true,
	...changes,
});

const emails = (people: IDataObject[]) => people.map(({ email }) => email);

/** A sent document for these people, in this order of signing unless they sign at the same time. */
async function sent(people: string[], { isOrdered = false, title = 'Lease' } = {}) {
	const recipient = people.map((email, index) => ({
		...{ email, role: 'SIGNER' },
		...(isOrdered ? { signingOrder: index + 1 } : {}),
	}));
	return await suite.document('createAndSend', {
		title,
		recipients: { recipient },
		fields: {
			field: people.map((email, index) => ({
				...signature,
				recipient: email,
				positionY: 10 + 10 * index,
			})),
		},
	});
}

const createdDaysAgo = (envelope: Envelope, days: number) => {
	envelope.createdAt = new Date(Date.now() - days * DAY_MS);
};

const signs = async ({ recipients }: Envelope, email: string) =>
	await suite.service.sign(recipients.find((one) => one.email === email)?.token ?? '');

test('those who have not signed come one item each, with their document', async () => {
	const { id } = await sent(['ada@example.com', 'bob@example.com']);
	createdDaysAgo(suite.documents()[0] as Envelope, 4);
	const people = await suite.outputOf(getMany());
	expect(emails(people)).toEqual(['ada@example.com', 'bob@example.com']);
	expect(people[0]).toMatchObject({
		role: 'SIGNER',
		isTurn: true,
		hasOpened: false,
		rejectionReason: null,
		waitingDays: 4,
		waitingSinceEvent: 'documentCreated',
		document: { id, title: 'Lease', status: 'PENDING', externalId: expect.any(String) as string },
	});
	expect(JSON.stringify(people)).not.toMatch(/token|signingUrl/);
	expect(suite.calls('GET /envelope')).toHaveLength(1);
});

test('of a document that is signed in an order, only the one whose turn it is', async () => {
	const document = await sent(['ada@example.com', 'bob@example.com'], { isOrdered: true });
	expect(emails(await suite.outputOf(getMany()))).toEqual(['ada@example.com']);
	await signs(document, 'ada@example.com');
	expect(emails(await suite.outputOf(getMany()))).toEqual(['bob@example.com']);
	const everyone = await suite.outputOf(getMany({ recipientState: 'all' }));
	expect(everyone.map(({ email, isTurn }) => [email, isTurn])).toEqual([
		['ada@example.com', false],
		['bob@example.com', true],
	]);
});

test('only documents whose order the list leaves open are read, twenty in a request', async () => {
	for (let index = 0; index < 3; index++) await sent([`p${index}@example.com`, 'x@example.com']);
	for (let index = 0; index < 21; index++) {
		await sent([`s${index}@example.com`, 'y@example.com'], { isOrdered: true });
	}
	suite.service.calls.length = 0;
	expect(await suite.outputOf(getMany())).toHaveLength(3 * 2 + 21);
	expect(suite.calls('POST /envelope/get-many')).toHaveLength(2);
	expect(suite.calls('GET /envelope')).toHaveLength(1);
});

test('the other groups: not opened, expired, rejected with the reason, has acted', async () => {
	const expired = await sent(['late@example.com']);
	for (const { id } of expired.recipients) suite.service.expire(id);
	const opened = await sent(['seen@example.com']);
	for (const recipient of opened.recipients) recipient.readStatus = 'OPENED';
	const refused = await sent(['no@example.com', 'other@example.com']);
	await suite.service.reject(refused.recipients[0]?.token ?? '', 'The rent is wrong');
	const signed = await sent(['yes@example.com', 'open@example.com']);
	await signs(signed, 'yes@example.com');
	await suite.service.settled();
	const group = async (recipientState: string) => await suite.outputOf(getMany({ recipientState }));
	expect(emails(await group('notOpened'))).not.toContain('seen@example.com');
	expect(emails(await group('expired'))).toEqual(['late@example.com']);
	expect(await group('rejected')).toMatchObject([
		{ email: 'no@example.com', rejectionReason: 'The rent is wrong', isTurn: false },
	]);
	expect(emails(await group('hasActed'))).toEqual(['yes@example.com', 'no@example.com']);
});

test('the filters: address, role, days of waiting, template, status', async () => {
	createdDaysAgo(await sent(['old@example.com']), 5);
	createdDaysAgo(await sent(['new@example.com', 'both@example.com']), 1);
	const found = async (filters: IDataObject) => emails(await suite.outputOf(getMany({ filters })));
	expect(await found({ waitingDays: 3 })).toEqual(['old@example.com']);
	expect(await found({ email: 'BOTH@example.com' })).toEqual(['both@example.com']);
	expect(await found({ role: 'APPROVER' })).toEqual([]);
	expect(await found({ status: 'COMPLETED' })).toEqual([]);
	expect(await found({ template: { __rl: true, mode: 'number', value: '1' } })).toEqual([]);
});

test('with Add Dates, the days count from when the document was sent to the recipient', async () => {
	const document = await sent(['ada@example.com']);
	createdDaysAgo(document, 9);
	suite.service.remind(document.id);
	suite.service.calls.length = 0;
	const dated = { options: { addDates: true } };
	const [person] = await suite.outputOf(getMany(dated));
	expect(person).toMatchObject({ waitingDays: 0, waitingSinceEvent: 'sent', reminders: 1 });
	expect(person?.sentAt).toEqual(expect.any(String));
	expect(suite.calls(`GET /envelope/${document.id}/audit-log`)).toHaveLength(1);
	expect(await suite.outputOf(getMany({ ...dated, filters: { waitingDays: 3 } }))).toEqual([]);
});

test('signing links come only when they are asked for', async () => {
	const { recipients } = await sent(['ada@example.com']);
	const [person] = await suite.outputOf(getMany({ options: { includeSigningLinks: true } }));
	expect(person?.signingUrl).toBe(`${suite.service.url}/sign/${recipients[0]?.token}`);
});

test('a limit ends the reading, and a misspelt folder is named', async () => {
	for (let index = 0; index < 4; index++) await sent([`p${index}@example.com`]);
	const some = await suite.outputOf(getMany({ returnAll: false, limit: 2 }));
	expect(emails(some)).toEqual(['p3@example.com', 'p2@example.com']);
	const { error } = await suite.run(getMany({ searchIn: 'folder', folderId: byId('cm2missing') }));
	expect(error?.message).toContain('\'Folder\' is "cm2missing"');
});

test('10,000 open documents of several recipients take 100 requests, 500 for turns, and those for folders', async () => {
	await paper.begin();
	const folderId = folder(suite.service, 'Tenants');
	const { ids } = suite.service.store;
	for (const document of paper.drafts(10_000, undefined, { folderId })) {
		const [tina] = document.recipients as [Envelope['recipients'][number]];
		const second = { ...tina, id: ids.next('recipient'), signingOrder: 2 };
		document.recipients = [tina, { ...second, email: 'tom@example.com' }];
		document.documentMeta = { ...document.documentMeta, signingOrder: 'SEQUENTIAL' };
		paper.send(document);
	}
	suite.service.calls.length = 0;
	const people = await suite.outputOf(getMany());
	expect(people).toHaveLength(10_000);
	const counts: Record<string, number> = {};
	for (const line of lines(suite.service)) counts[line] = (counts[line] ?? 0) + 1;
	expect(counts).toEqual({
		// The empty page of the documents in no folder, too.
		'GET /envelope': 101,
		'GET /folder': 1,
		'POST /envelope/get-many': 500,
	});
});
