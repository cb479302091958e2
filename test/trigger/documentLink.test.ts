import type { IDataObject } from 'n8n-workflow';

import { startEmulator } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { credentialFor, lines, type Service } from '../support/service';
import { serveTrigger, type TriggerServer } from '../support/webhook';

const secret = 'the secret of the webhook';
let service: Service;
let trigger: TriggerServer;

/** Whatever is known of a team's address is remembered for its Documenso, so each test has one of its own. */
beforeEach(async () => {
	service = await startEmulator({ seed: 'demo' });
	const credential = credentialFor(service, { webhookSecret: secret });
	trigger = await serveTrigger(credential, { events: ['*'] });
	service.webhooks.add({ url: trigger.url, secret });
});
afterEach(async () => {
	await trigger.close();
	await service.close();
});

const template = RENTAL_AGREEMENT.id;
const page = () => `${service.url}/t/demo/templates/${template}`;
const linksGiven = () => trigger.items.map(({ json }) => (json.template as IDataObject).url);

/** Events of the template that differ from each other. */
async function happen(times: number) {
	const envelope = service.store.envelopes.get(template);
	for (let time = 0; time < times; time++) {
		if (envelope) envelope.title += '!';
		await service.deliver('TEMPLATE_UPDATED', template);
	}
}

test('the address of the team is asked for once', async () => {
	await happen(3);
	expect(linksGiven()).toEqual([page(), page(), page()]);
	expect(lines(service)).toEqual([`GET /envelope/${template}`]);
});

test('a Documenso that does not tell it is not asked again for a while', async () => {
	service.fail({ match: 'GET /envelope/*', status: 401, times: 9 });
	await happen(3);
	expect(linksGiven()).toEqual([undefined, undefined, undefined]);
	expect(lines(service)).toHaveLength(1);
});

test('after an event of what is gone the next one is asked about', async () => {
	service.fail({ match: 'GET /envelope/*', status: 404 });
	await happen(3);
	expect(linksGiven()).toEqual([undefined, page(), page()]);
	expect(lines(service)).toHaveLength(2);
});
