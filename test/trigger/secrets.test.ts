import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

import { DEMO_TOKEN } from '../../emulator';
import { completed } from '../support/deliveries';
import { errorOf } from '../support/errors';
import { onlyItem, SECRET, useTrigger } from '../support/events';
import { byId, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const { listen, serve } = useTrigger(suite);

const echo = { message: `You sent ${DEMO_TOKEN}`, code: `UNKNOWN_${DEMO_TOKEN}` };
const events = ['DOCUMENT_SENT'];

let log: jest.SpyInstance;
beforeEach(() => {
	log = jest.spyOn(Container.get(Logger), 'warn');
});
afterEach(() => log.mockRestore());

const logged = () => JSON.stringify(log.mock.calls);

test('neither the API token nor the webhook secret is in an output or a log, though Documenso echoes them', async () => {
	const options = { withoutMissing: true };
	const enrich = ['details', 'values'];
	const trigger = await listen({ events, simple: false, enrich, options });
	suite.service.fail({ match: 'GET /envelope/*', status: 400, body: echo, times: 9 });
	await suite.document('createAndSend');
	await suite.service.settled();
	const item = JSON.stringify(onlyItem(trigger));
	expect(item).toContain('You sent ***');
	expect(item).not.toContain(DEMO_TOKEN);
	expect(item).not.toContain(SECRET);
	expect(logged()).toContain('You sent ***');
	expect(logged()).not.toContain(DEMO_TOKEN);
	expect(logged()).not.toContain(SECRET);
});

test('nor the API token in the error of a workflow that cannot be published, or in the log when it ends', async () => {
	const trigger = await serve({ registration: 'automatic', events });
	suite.service.fail({ match: '*/zapier/subscribe', status: 400, body: echo });
	const error = await errorOf(trigger.publish);
	expect(error.message).toContain('You sent ***');
	expect(JSON.stringify([error, error.message, error.stack])).not.toContain(DEMO_TOKEN);
	await trigger.publish();
	suite.service.fail({ match: '*/zapier/unsubscribe', status: 400, body: echo });
	await trigger.switchOff();
	expect(logged()).toContain('You sent ***');
	expect(logged()).not.toContain(DEMO_TOKEN);
});

test('nor an encoded API token in the error of an operation', async () => {
	const sent = `Authorization: Bearer ${DEMO_TOKEN}`;
	const encoded = [
		Buffer.from(sent).toString('base64'),
		Buffer.from(DEMO_TOKEN).toString('base64url'),
		encodeURIComponent(sent).replaceAll('_', '%5F'),
		sent.replaceAll('_', '&#95;'),
		sent.replaceAll('_', '\\u005f'),
	];
	const body = { message: encoded.join(' '), code: encoded[1] };
	suite.service.fail({ match: 'GET /envelope/*', status: 400, body });
	const get = { resource: 'document', operation: 'get', documentId: byId('envelope_abc') };
	const { error } = await suite.run(get);
	expect(error?.message.match(/\*\*\*/g)).toHaveLength(encoded.length);
	const shown = JSON.stringify([error, error?.message, error?.stack, error?.description]);
	const halves = [DEMO_TOKEN.slice(4), ...encoded.slice(0, 2).map((one) => one.slice(-16, -4))];
	for (const half of halves) expect(shown).not.toContain(half);
});

/** As a later Documenso might nest them. */
const nested = {
	recipients: [{ id: 1, token: 'secret-1', delegate: { token: 'secret-2' } }],
	fields: [{ id: 2, recipient: { email: 'tina@example.com', token: 'secret-3' } }],
	directLink: { id: 'link', token: 'secret-4' },
	distribution: [[{ signingUrl: 'https://sign.example.com/sign/secret-5' }]],
	formValues: { token: 'the name of a form field' },
};

test('raw data has no signing tokens, however deep they are, and all of them with Include Signing Links', async () => {
	const deliver = async (parameters: object) => {
		const raw = { events: ['*'], simple: false, enrich: ['details'], ...parameters };
		const trigger = await listen(raw);
		suite.service.fail({ match: 'GET /envelope/*', status: 200, body: { id: 'a', ...nested } });
		const payload = { ...completed.payload, documentData: nested };
		await fetch(trigger.url, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', 'X-Documenso-Secret': SECRET },
			body: JSON.stringify({ ...completed, payload, meta: nested }),
		});
		return onlyItem(trigger).json;
	};
	const { payload, meta, details } = await deliver({});
	expect(JSON.stringify([payload, meta, details])).not.toMatch(/secret-|token-/);
	expect(details).toMatchObject({
		fields: [{ id: 2, recipient: { email: 'tina@example.com' } }],
		formValues: nested.formValues,
	});
	const { details: whole } = await deliver({ options: { includeSigningLinks: true } });
	expect(whole).toMatchObject(nested);
});

test('a document that was read has no signing tokens, but with Raw', async () => {
	const { id, recipients } = await suite.document('createAndSend');
	const [{ token } = { token: '' }] = recipients;
	const get = { resource: 'document', operation: 'get', documentId: byId(id) };
	expect(token).not.toBe('');
	expect(JSON.stringify(await suite.outputOf(get))).not.toContain(token);
	expect(JSON.stringify(await suite.outputOf({ ...get, output: 'raw' }))).toContain(token);
});
