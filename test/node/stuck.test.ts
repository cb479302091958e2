import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { byId, useService } from '../support/suite';

// The sealing job never runs, as where a required field cannot be filled in.
const suite = useService({ seed: 'demo', sealDelayMs: 86_400_000 });

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A document that everyone has signed, so many minutes ago, and that is not sealed. */
async function signed(minutes: number): Promise<Envelope> {
	const document = await suite.document('createAndSend');
	const [tina] = document.recipients;
	await suite.service.sign(tina?.token ?? '');
	Object.assign(tina ?? {}, { signedAt: minutesAgo(minutes) });
	return document;
}

async function rejected(): Promise<Envelope> {
	const people = ['ada@example.com', 'bob@example.com'].map((email) => ({ email, role: 'SIGNER' }));
	const signature = { type: 'SIGNATURE', page: 1, positionX: 10, width: 30, height: 6 };
	const document = await suite.document('createAndSend', {
		recipients: { recipient: people.map((one) => ({ ...one, name: '' })) },
		fields: {
			field: [
				{ ...signature, recipient: 'r1', positionY: 80 },
				{ ...signature, recipient: 'r2', positionY: 90 },
			],
		},
	});
	const [ada] = document.recipients;
	await suite.service.reject(ada?.token ?? '', 'Too expensive');
	Object.assign(ada ?? {}, { signedAt: minutesAgo(20) });
	return document;
}

const listed = async (filters: IDataObject = {}) =>
	await suite.outputOf({
		...{ resource: 'document', operation: 'getAll', returnAll: true },
		filters: { onlyStuck: true, ...filters },
	});

describe('Only Stuck', () => {
	test('takes no other status', async () => {
		const run = await suite.run({
			...{ resource: 'document', operation: 'getAll', returnAll: true },
			filters: { onlyStuck: true, status: 'COMPLETED' },
		});
		expect(run.error?.message).toContain("'Only Stuck' lists only pending documents");
		expect(await listed({ status: 'PENDING' })).toEqual([]);
	});

	test('lists what everyone has signed and Documenso has not finished for 15 minutes', async () => {
		await signed(14);
		await suite.document('createAndSend');
		const { id } = await signed(16);
		expect(await listed()).toMatchObject([
			{
				id,
				status: 'PENDING',
				stuck: {
					reason: 'notFinished',
					since: expect.stringMatching(/Z$/) as string,
					advice: expect.stringContaining('An administrator') as string,
				},
			},
		]);
	});

	test('lists what somebody has rejected', async () => {
		const { id } = await rejected();
		expect(await listed()).toMatchObject([{ id, stuck: { reason: 'notFinished' } }]);
	});

	test('leaves out a recipient who gets the link by hand, and has no address', async () => {
		const { recipients } = await suite.document('createAndSend');
		Object.assign(recipients[0] ?? {}, { email: '' });
		expect(await listed()).toEqual([]);
	});

	test('lists expired links, and addresses that are placeholders', async () => {
		const late = await suite.document('createAndSend');
		suite.service.expire(late.recipients[0]?.id ?? 0);
		Object.assign(late.recipients[0] ?? {}, { expiresAt: minutesAgo(1) });
		const lost = await suite.document('createAndSend');
		Object.assign(lost.recipients[0] ?? {}, { email: 'recipient.1@documenso.com' });
		const found = await listed();
		expect(found.map(({ id, stuck }) => ({ id, reason: (stuck as IDataObject).reason }))).toEqual(
			expect.arrayContaining([
				{ id: late.id, reason: 'linkExpired' },
				{ id: lost.id, reason: 'placeholderAddress' },
			]),
		);
	});
});

describe('a document that Documenso has not finished', () => {
	const get = async ({ id }: Envelope) =>
		await suite.outputOf({ resource: 'document', operation: 'get', documentId: byId(id) });
	const download = async ({ id }: Envelope) =>
		await suite.run({ resource: 'document', operation: 'download', documentId: byId(id) });

	test('says since when, in Get and Download', async () => {
		const document = await signed(1);
		const since = document.recipients[0]?.signedAt?.toISOString() ?? '';
		expect(await get(document)).toMatchObject([{ unfinishedSince: since }]);
		const { error } = await download(document);
		expect(error?.message).toContain(`Documenso is still finishing it, since ${since}`);
		expect(error?.description).toContain('That takes a few seconds');
	});

	test('says after 15 minutes what to do', async () => {
		const document = await signed(16);
		expect(await get(document)).toMatchObject([{ stuck: { reason: 'notFinished' } }]);
		const { error } = await download(document);
		expect(error?.message).toContain('Documenso has not finished the document');
		expect(error?.description).toContain('An administrator of Documenso can seal');
		expect(error?.description).not.toContain('a few seconds');
	});

	test('that somebody has rejected asks nobody else: neither the list nor Resend', async () => {
		const { id } = await rejected();
		const people = { resource: 'recipient', operation: 'getAll', returnAll: true };
		for (const recipientState of ['hasToAct', 'notOpened', 'expired']) {
			expect(await suite.outputOf({ ...people, recipientState })).toEqual([]);
		}
		suite.service.calls.length = 0;
		const resend = { resource: 'document', operation: 'resend', documentId: byId(id) };
		const { error } = await suite.run(resend);
		expect(error?.message).toContain('has no recipient left to act');
		expect(error?.description).toContain('somebody has rejected it');
		expect(suite.calls('POST /envelope/redistribute')).toEqual([]);
	});
});
