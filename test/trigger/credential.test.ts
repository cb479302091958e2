import type { IDataObject } from 'n8n-workflow';

import { completed } from '../support/deliveries';
import { triggerPlace, type Credential } from '../support/n8n';
import { Poster } from '../support/post';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';
import { serveTrigger, type TriggerServer } from '../support/webhook';

const SECRET = 'secret of the webhook';

const suite = useService();
const poster = new Poster(50);
const open: TriggerServer[] = [];

afterEach(async () => {
	await Promise.all(open.splice(0).map(async (server) => await server.close()));
});

afterAll(() => poster.close());

/** A trigger with a credential that can be changed. */
async function trigger(parameters: IDataObject = {}, changes: Partial<Credential> = {}) {
	const credential = credentialFor(suite.service, { webhookSecret: SECRET, ...changes });
	const place = triggerPlace();
	const server = await serveTrigger(credential, { events: ['*'], ...parameters }, { place });
	open.push(server);
	return { url: server.url, items: server.items, credential, place };
}

let number = 0;

/** An event of nobody's team, so that no address of one is asked for. */
async function deliver(url: string, secret = SECRET): Promise<number> {
	const payload = { ...completed.payload, id: (number += 1), teamId: null };
	const headers = { 'Content-Type': 'application/json', 'X-Documenso-Secret': secret };
	const body = JSON.stringify({ ...completed, payload });
	return (await poster.post(url, { headers, body })).status;
}

test('a delivery reads the credential once, whatever becomes of it', async () => {
	const links = { options: { includeSigningLinks: true } };
	for (const parameters of [{}, links, { simple: false }, { events: ['DOCUMENT_SENT'] }]) {
		const { url, place } = await trigger(parameters);
		expect(await deliver(url)).toBe(200);
		expect(place.credentialReads).toBe(1);
	}
	const { url, place } = await trigger();
	expect(await deliver(url, 'another')).toBe(401);
	expect(place.credentialReads).toBe(1);
});
