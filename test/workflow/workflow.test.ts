import { startEmulator } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { clock } from '../../nodes/shared/api/clock';
import { bytesOf, documenso, execute, useBinaryMode } from '../support/n8n';
import { paperwork, Poller } from '../support/polling';
import { credentialFor, lines, type Service } from '../support/service';
import { byId, mapped, useService } from '../support/suite';
import { serveTrigger, type TriggerServer } from '../support/webhook';

describe('from rows to signed files', () => {
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
});

describe('clocks that differ', () => {
	const MINUTE_MS = 60_000;

	/** How far Documenso's clock is ahead of n8n's, in minutes. */
	let ahead = 0;
	const documensoTime = () => clock.now() + ahead * MINUTE_MS;
	const suite = useService({ seed: 'demo', clock: () => new Date(documensoTime()) });

	describe('a document whose sending was not answered', () => {
		const SENDING = 'POST /envelope/distribute';
		const send = (id: string) => ({
			resource: 'document',
			operation: 'send',
			documentId: byId(id),
		});

		test('is known to be sent where Documenso’s clock is behind', async () => {
			ahead = -60;
			const { id } = await suite.document();
			suite.service.fail({ match: SENDING, cut: 'after' });
			expect(await suite.outputOf(send(id))).toMatchObject([{ status: 'PENDING', id }]);
			expect(lines(suite.service).filter((line) => line === SENDING)).toHaveLength(1);
		});

		test('may have been sent only before where Documenso’s clock is ahead', async () => {
			ahead = 59;
			const { id } = await suite.document('createAndSend');
			ahead = 60;
			suite.service.fail({ match: SENDING, cut: 'before' });
			const { error } = await suite.run(send(id));
			expect(error?.description).toContain(`The status of the document ${id} is pending now`);
		});
	});

	test('a poll misses nothing after a document of the future where Documenso’s clock is behind', async () => {
		ahead = -60;
		const paper = paperwork(suite);
		await paper.begin();
		const poller = new Poller(suite.service);
		const inMinutes = (minutes: number) => ({
			createdAt: new Date(documensoTime() + minutes * MINUTE_MS),
		});
		await poller.poll();
		paper.draft('Of the future', inMinutes(30));
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED Of the future']);
		expect(await poller.reported()).toEqual([]);
		paper.draft('Of now', inMinutes(0));
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED Of now']);
	});
});
