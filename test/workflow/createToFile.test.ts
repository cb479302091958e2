import { startEmulator } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { bytesOf, documenso, execute, useBinaryMode } from '../support/n8n';
import { credentialFor, type Service } from '../support/service';
import { mapped } from '../support/suite';
import { serveTrigger, type TriggerServer } from '../support/webhook';

const SECRET = 'secret of the webhook';
let service: Service;
let trigger: TriggerServer;

beforeAll(async () => {
	await useBinaryMode('filesystem');
	service = await startEmulator({ seed: 'demo', sealDelayMs: 0 });
	trigger = await serveTrigger(credentialFor(service, { webhookSecret: SECRET }), {
		events: ['DOCUMENT_COMPLETED'],
	});
	service.webhooks.add({ url: trigger.url, secret: SECRET });
});
afterAll(async () => {
	await trigger.close();
	await service.close();
});

test('rows become documents, people sign, and the trigger leads to the signed files', async () => {
	const rows = ['tina', 'tom', 'tara'].map((name) => ({ json: { name, rent: 1000 } }));
	const credential = credentialFor(service);
	const fill = documenso({
		resource: 'template',
		operation: 'createDocument',
		templateId: { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id },
		columns: mapped({
			'Tenant email': '={{ $json.name }}@example.com',
			'Tenant name': '={{ $json.name }}',
			Rent: '={{ $json.rent }}',
		}),
		additionalFields: { title: '=Lease of {{ $json.name }}' },
	});
	const created = await execute(credential, [fill], rows);
	expect(created.data.resultData.error).toBeUndefined();

	for (const { recipients } of service.store.documents) {
		for (const { token } of recipients) await service.sign(token);
	}
	await service.settled();

	expect(trigger.executions).toHaveLength(3);
	const download = documenso({
		resource: 'document',
		operation: 'download',
		documentId: { __rl: true, mode: 'id', value: '={{ $json.document.id }}' },
	});
	const events = trigger.executions.flatMap(([items]) => items ?? []);
	const { data } = await execute(credential, [download], events);
	const files = data.resultData.runData.Documenso?.[0]?.data?.main?.[0] ?? [];
	expect(files.map(({ json }) => json.title).sort()).toEqual([
		'Lease of tara',
		'Lease of tina',
		'Lease of tom',
	]);
	for (const file of files) {
		expect(file.json.status).toBe('COMPLETED');
		expect((await bytesOf(file)).subarray(0, 5).toString()).toBe('%PDF-');
	}
});

test('what one of our nodes returns, the next one takes', async () => {
	const fill = documenso(
		{
			resource: 'template',
			operation: 'createDocument',
			send: false,
			templateId: { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id },
			columns: mapped({ 'Tenant email': 'tina@example.com' }),
		},
		{ name: 'Fill' },
	);
	const documentId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const chain = ['send', 'get', 'cancel'].map((operation) =>
		documenso({ resource: 'document', operation, documentId }, { name: operation }),
	);
	const { data } = await execute(credentialFor(service), [fill, ...chain], [{ json: {} }]);
	expect(data.resultData.error).toBeUndefined();
	const last = data.resultData.runData.cancel?.[0]?.data?.main?.[0];
	expect(last).toMatchObject([{ json: { success: true }, pairedItem: { item: 0 } }]);
});
