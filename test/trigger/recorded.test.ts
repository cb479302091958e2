import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { DEMO_TEAM, type WebhookEvent } from '../../emulator';
import { WEBHOOK_EVENTS } from '../../emulator/webhooks/events';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { parse } from '../../nodes/DocumensoTrigger/parse';
import { call, sendDocument, signatureField } from '../emulator/api';
import { Receiver } from '../emulator/receiver';
import { Poster } from '../support/post';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';
import { serveTrigger } from '../support/webhook';

const SECRET = 'the secret of the webhook';
const FOLDER = join(__dirname, '../../../shared/service/webhooks');

interface Body extends IDataObject {
	event: string;
	payload: IDataObject & { recipients: IDataObject[] };
}

let now = Date.parse('2026-01-01T00:00:00Z');
/** Nothing happens at the same moment as anything else. */
const clock = () => new Date((now += 10));

const suite = useService({ seed: 'demo', clock });
const poster = new Poster();
afterAll(() => poster.close());

/** What the trigger makes of a delivery. */
async function received(body: Body, parameters: IDataObject = {}): Promise<IDataObject> {
	const credential = credentialFor(suite.service, { webhookSecret: SECRET });
	const server = await serveTrigger(credential, { events: ['*'], ...parameters });
	await server.publish();
	suite.service.calls.length = 0;
	const headers = { 'Content-Type': 'application/json', 'X-Documenso-Secret': SECRET };
	const { status } = await poster.post(server.url, { headers, body: JSON.stringify(body) });
	await server.close();
	const [item] = server.items;
	if (status !== 200 || !item) throw new Error(`${body.event} was answered ${String(status)}`);
	return item.json;
}

const without = (record: IDataObject, ...keys: string[]) =>
	Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

/** What the simplified output leaves out of a recipient, next to his token. */
const LEFT_OUT = [
	'token',
	'envelopeId',
	'documentId',
	'templateId',
	'authOptions',
	'documentDeletedAt',
];

function expectNothingLost(output: IDataObject, { event, payload, createdAt }: Body) {
	const kind = event.startsWith('TEMPLATE_') && event !== 'TEMPLATE_USED' ? 'template' : 'document';
	expect(output).toMatchObject({
		event,
		eventId: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
		deliveredAt: createdAt,
		[kind]: {
			id: payload.envelopeId,
			title: payload.title,
			status: payload.status,
			externalId: payload.externalId,
			source: payload.source,
			templateNumber: payload.templateId,
			createdAt: payload.createdAt,
			updatedAt: payload.updatedAt,
			completedAt: payload.completedAt,
			deletedAt: payload.deletedAt,
		},
		recipients: payload.recipients.map((recipient) => without(recipient, ...LEFT_OUT)),
	});
	expect(output).not.toHaveProperty(kind === 'template' ? 'document' : 'template');
	expect(output).not.toHaveProperty('Recipient');
	const written = JSON.stringify(output);
	for (const { token } of payload.recipients) expect(written).not.toContain(`"${token as string}"`);
	expect(written).not.toContain('"token"');
}

function expectRawWithoutTokens(output: IDataObject, body: Body) {
	const untold = (recipients: IDataObject[]) => recipients.map((one) => without(one, 'token'));
	const { recipients, Recipient = [] } = body.payload;
	expect(without(output, 'eventId', 'deliveryId', 'foundBy', 'isTest')).toEqual({
		...without(body, 'webhookEndpoint'),
		payload: {
			...body.payload,
			recipients: untold(recipients),
			Recipient: untold(Recipient as IDataObject[]),
		},
	});
}

/** Who caused what in the recording, read by hand off what changed from one delivery to the next. */
const CAUSES: Record<string, number> = {
	'0182': 18,
	'0183': 1,
	'0184': 1,
	'0185': 8,
	'0186': 8,
	'0187': 8,
	'0219': 34,
	'0220': 34,
	'0221': 35,
	'0225': 37,
	'0226': 37,
	'0227': 36,
	'0228': 36,
	'0229': 36,
	'0239': 43,
	'0268': 44,
	'0269': 43,
};

const files = existsSync(FOLDER) ? readdirSync(FOLDER).sort() : [];
if (files.length === 0) {
	process.stdout.write(`No recorded webhooks in ${FOLDER}: not checked\n`);
}

const recorded = files.map((file) => {
	const { body } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { body: Body };
	return [file, body] as const;
});

(recorded.length > 0 ? describe : describe.skip)('what a real Documenso delivered', () => {
	afterAll(() => {
		const kinds = new Set(recorded.map(([, { event }]) => event));
		process.stdout.write(
			`${recorded.length} recorded webhooks of ${kinds.size} kinds: ${recorded.length} accepted\n`,
		);
	});

	test.each(recorded.length > 0 ? recorded : [['', {} as Body]])(
		'%s is accepted and simplified without loss',
		async (file, body) => {
			const output = await received(body);
			expectNothingLost(output, body);
			expect(output.isTest).toBe(false);
			const { id } = (output.causedBy ?? {}) as IDataObject;
			expect([file, id]).toEqual([file, CAUSES[file.slice(0, 4)]]);
		},
	);

	test.each(recorded.length > 0 ? recorded : [['', {} as Body]])(
		'%s is whole but for its tokens when it is not simplified',
		async (_, body) => {
			expectRawWithoutTokens(await received(body, { simple: false }), body);
		},
	);

	test('all of them are told apart, but for what came several times', () => {
		const ids = recorded.map(([file, body]) => [parse(body)?.id, file] as const);
		const files = new Map<unknown, string[]>();
		for (const [id, file] of ids) files.set(id, [...(files.get(id) ?? []), file]);
		const repeated = [...files.values()].filter((same) => same.length > 1);
		expect(repeated.map((same) => same.map((file) => file.slice(0, 4)))).toEqual([
			// A completed document, deleted twice: nothing in it changed by the second time.
			['0231', '0232'],
			// One event to several endpoints, some of which failed and got it four times.
			[...Array.from({ length: 17 }, (_, index) => String(240 + index).padStart(4, '0'))],
		]);
	});
});

describe('what the local Documenso delivers', () => {
	async function collected(cause: () => Promise<unknown>): Promise<Body[]> {
		const receiver = await new Receiver().start();
		suite.service.webhooks.add({ url: receiver.url });
		await cause();
		await suite.service.settled();
		await receiver.close();
		return receiver.received.map(({ body }) => body as unknown as Body);
	}

	test.each(WEBHOOK_EVENTS)('a %s is accepted and simplified without loss', async (event) => {
		const isTemplate = event.startsWith('TEMPLATE_') && event !== 'TEMPLATE_USED';
		const id = isTemplate ? RENTAL_AGREEMENT.id : (await sendDocument(suite.service)).id;
		const [body] = await collected(async () => await suite.service.deliver(event, id));
		if (!body) throw new Error('Nothing was delivered');
		const output = await received(body, { options: { includeSigningLinks: false } });
		expectNothingLost(output, body);
		expect(output.isTest).toBe(false);
		const page = `${suite.service.url}/t/${DEMO_TEAM.url}/${isTemplate ? 'templates' : 'documents'}/${id}`;
		expect(output[isTemplate ? 'template' : 'document']).toHaveProperty('url', page);
		expectRawWithoutTokens(await received(body, { simple: false }), body);
	});

	test.each(WEBHOOK_EVENTS)("the dashboard's test of %s is accepted, and marked", async (event) => {
		const [body] = await collected(async () => await suite.service.webhooks.test(event));
		if (!body) throw new Error('Nothing was delivered');
		const output = await received(body);
		expectNothingLost(output, body);
		expect(output.isTest).toBe(true);
		expect(output.document ?? output.template).not.toHaveProperty('url');
		expect(suite.service.calls).toEqual([]);
		const raw = await received(body, { simple: false });
		expectRawWithoutTokens(raw, body);
		expect(raw.isTest).toBe(true);
		expect(suite.service.calls).toEqual([]);
	});

	test('the signing links are given when asked for, to whoever has a signing page', async () => {
		const recipients = [
			{ email: 'a@example.com', name: 'A', role: 'SIGNER', fields: [signatureField] },
			{ email: 'cc@example.com', name: 'C', role: 'CC' },
		];
		const [, body] = await collected(async () => await sendDocument(suite.service, { recipients }));
		if (!body) throw new Error('It was not sent');
		const options = { includeSigningLinks: true };
		const links = ((await received(body, { options })).recipients as IDataObject[]).map(
			({ email, signingUrl }) => [email, signingUrl],
		);
		const token = body.payload.recipients.find(({ role }) => role === 'SIGNER')?.token;
		expect(Object.fromEntries(links)).toEqual({
			'a@example.com': `${suite.service.url}/sign/${token as string}`,
			'cc@example.com': undefined,
		});
		const raw = await received(body, { simple: false, options });
		expect(raw.payload).toEqual(body.payload);
		const envelope = suite.service.store.envelopes.get(body.payload.envelopeId as string);
		// As Documenso shows recipients of other users' documents.
		for (const recipient of envelope?.recipients ?? []) recipient.token = '';
		for (const recipient of (await received(body, { options })).recipients as IDataObject[]) {
			expect(recipient).not.toHaveProperty('signingUrl');
		}
	});

	test('who caused an event is told as often as its deliveries tell', async () => {
		const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
		const recipients = emails.map((email) => ({
			email,
			name: '',
			role: 'SIGNER',
			fields: [signatureField],
		}));
		const bodies = await collected(async () => {
			const { id, tokens } = await sendDocument(suite.service, { recipients });
			for (const token of tokens) {
				await fetch(`${suite.service.url}/sign/${token}`);
				await suite.service.sign(token);
			}
			await suite.service.settled();
			const other = await sendDocument(suite.service, { recipients });
			const [, second] = suite.service.store.envelopes.get(other.id)?.recipients ?? [];
			suite.service.expire(second?.id ?? 0);
			await suite.service.reject(String(other.tokens[2]), 'No');
			await suite.service.settled();
			await call(suite.service, 'POST /envelope/delete', { envelopeId: id });
		});
		const causes = bodies.map((body) => {
			return [body.event, parse(body)?.event.by?.email];
		});
		const signed = (email: string): Array<[WebhookEvent, string]> => [
			['DOCUMENT_OPENED', email],
			['DOCUMENT_RECIPIENT_COMPLETED', email],
			['DOCUMENT_SIGNED', email],
		];
		expect(causes).toEqual([
			['DOCUMENT_CREATED', undefined],
			['DOCUMENT_SENT', undefined],
			...emails.flatMap(signed),
			['DOCUMENT_COMPLETED', 'c@example.com'],
			['DOCUMENT_CREATED', undefined],
			['DOCUMENT_SENT', undefined],
			['RECIPIENT_EXPIRED', 'b@example.com'],
			['DOCUMENT_REJECTED', 'c@example.com'],
			['DOCUMENT_CANCELLED', undefined],
		]);
	});
});
