import type { IDataObject } from 'n8n-workflow';

import { documenso, execute } from '../support/n8n';
import { onlyItem, useTrigger } from '../support/events';
import { Poller } from '../support/polling';
import { credentialFor } from '../support/service';
import { fillFromRow, tenants, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const { listen } = useTrigger(suite);

/** A document for which an execution waits. */
async function waitedFor() {
	const node = documenso({ ...fillFromRow, operation: 'createDocumentUntilSigned' });
	const row = { json: { ...tenants(1)[0]?.json, 'External ID': 'CRM-7' } };
	const { status } = await execute(credentialFor(suite.service), [node], [row]);
	expect(status).toBe('waiting');
	await suite.service.settled();
}

const forms: IDataObject[] = [
	{},
	{ enrich: ['details'] },
	{ simple: false, enrich: ['details'] },
	{ simple: false, enrich: ['details'], options: { includeSigningLinks: true } },
];

describe.each(['DOCUMENT_CREATED', 'DOCUMENT_SENT'])('the event %s of such a document', (event) => {
	test.each(forms)('shows no marker, only the External ID: %j', async (form) => {
		const trigger = await listen({ events: [event], ...form });
		await waitedFor();
		const { json } = onlyItem(trigger);
		const about = (json.document ?? json.payload) as IDataObject;
		expect(about.externalId).toBe('CRM-7');
		expect(JSON.stringify(json)).not.toContain('n8n-wait');
		if (form.enrich) expect(json.details).toMatchObject({ externalId: 'CRM-7' });
	});

	test('carries the marker to other receivers', async () => {
		await listen({ events: [event] });
		await waitedFor();
		const sent = suite.service.deliveries.find(({ body }) => body.event === event);
		expect(JSON.stringify(sent?.body)).toContain('"externalId":"CRM-7 n8n-wait:');
	});

	test.each(forms)('shows none either when a poll finds it: %j', async ({ enrich, ...form }) => {
		const poller = new Poller(suite.service);
		poller.parameters = { events: [event], ...form, ...(enrich ? { enrich } : {}) };
		await poller.poll();
		await waitedFor();
		const [json] = await poller.poll();
		expect((json?.document as IDataObject).externalId).toBe('CRM-7');
		expect(JSON.stringify(json)).not.toContain('n8n-wait');
	});
});
