import { refusal } from '../support/refusal';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { useDocumenso } from './documenso';
import { useN8n } from './n8n';

const n8n = useN8n();
const documenso = useDocumenso();
const busy = refusal('Busy');
const templateId = { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id };
const readTemplate = { resource: 'template', operation: 'get', templateId };

async function addressees() {
	const documents = await documenso.documents();
	return documents.map(({ recipients }) => recipients[0]?.email).sort();
}

/** A row for each address, one after another, so that a try gets half-way before it fails. */
async function oneByOne(emails: string[]) {
	return await n8n.createWorkflow(
		emails.map((email) => ({ 'Tenant email': email })),
		{
			resource: 'template',
			operation: 'createDocument',
			templateId,
			columns: { mappingMode: 'autoMapInputData', value: null },
			options: { maxInFlight: 1 },
		},
	);
}

test.each(['original', 'current'] as const)(
	'a retry with the %s workflow makes no second document of a row that has one',
	async (version) => {
		const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
		const workflow = await oneByOne(emails);
		await documenso.fail({ match: 'POST /envelope/use', delayMs: 0 });
		await documenso.fail({ match: 'POST /envelope/use', status: 400 });
		const failed = await n8n.run(workflow);
		expect(failed.status).toBe('error');
		expect(await documenso.documents()).toHaveLength(1);

		const retried = await n8n.retry(failed.id, version);
		expect(retried.status).toBe('success');
		expect(await addressees()).toEqual(emails);
	},
);

describe('an execution retried twice makes one document a row', () => {
	test('where our node failed in the original', async () => {
		const emails = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.com`);
		const workflow = await oneByOne(emails);
		await documenso.fail({ match: 'POST /envelope/use', ...busy });
		const original = await n8n.run(workflow);
		await documenso.fail({ match: 'POST /envelope/use', delayMs: 0, times: 3 });
		await documenso.fail({ match: 'POST /envelope/use', ...busy });
		expect((await n8n.retry(original.id, 'original')).status).toBe('error');
		expect(await addressees()).toHaveLength(3);
		expect((await n8n.retry(original.id, 'original')).status).toBe('success');
		expect(await addressees()).toEqual(emails);
	});

	test('where other nodes failed: one before ours, then one behind it', async () => {
		const to = { mappingMode: 'defineBelow', value: { 'Tenant email': 'a@example.com' } };
		const workflow = await n8n.createWorkflow(
			[{}],
			readTemplate,
			{
				resource: 'template',
				operation: 'createDocument',
				templateId,
				columns: to,
			},
			{ resource: 'document', operation: 'getAll' },
		);
		await documenso.fail({ match: `GET /envelope/${RENTAL_AGREEMENT.id}`, ...busy });
		const original = await n8n.run(workflow);
		expect(original.status).toBe('error');
		// n8n tells nothing of our node, so it looks, waits two minutes, looks again, and compares.
		await documenso.fail({ match: 'GET /envelope', delayMs: 0, times: 3 });
		await documenso.fail({ match: 'GET /envelope', ...busy });
		expect((await n8n.retry(original.id, 'original')).status).toBe('error');
		expect(await addressees()).toEqual(['a@example.com']);
		expect((await n8n.retry(original.id, 'original')).status).toBe('success');
		expect(await addressees()).toEqual(['a@example.com']);
	});
});

describe('a retry of a test is a test', () => {
	const parameters = {
		resource: 'template',
		operation: 'createDocument',
		templateId,
		columns: { mappingMode: 'defineBelow', value: { 'Tenant email': 'a@example.com' } },
		options: { manualExecutionsSendTo: 'anna@example.com' },
	};

	test.each([
		['our node', [parameters], 'POST /envelope/use'],
		['a node before ours', [readTemplate, parameters], `GET /envelope/${RENTAL_AGREEMENT.id}`],
	])('where %s failed in the original', async (_, nodes, match) => {
		const [first = {}, ...others] = nodes;
		const workflow = await n8n.createWorkflow([{}], first, ...others);
		await documenso.fail({ match, ...busy });
		const original = await n8n.run(workflow);
		expect(original.status).toBe('error');
		expect((await n8n.retry(original.id, 'original')).status).toBe('success');
		expect(await addressees()).toEqual(['anna+1@example.com']);
	});
});
