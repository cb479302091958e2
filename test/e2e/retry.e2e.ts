import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { useDocumenso } from './documenso';
import { useN8n } from './n8n';

const n8n = useN8n();
const documenso = useDocumenso();

test.each(['original', 'current'] as const)(
	'a retry with the %s workflow makes no second document of a row that has one',
	async (version) => {
		const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
		const automatic = { mappingMode: 'autoMapInputData', value: null };
		const workflow = await n8n.createWorkflow(
			emails.map((email) => ({ 'Tenant email': email })),
			{
				resource: 'template',
				operation: 'createDocument',
				templateId: { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id },
				templateRecipients: automatic,
				prefillFields: automatic,
			},
		);

		await documenso.fail({ match: 'POST /envelope/use', status: 400 });
		const failed = await n8n.run(workflow);
		expect(failed.status).toBe('error');
		expect(await documenso.documents()).toHaveLength(2);

		const retried = await n8n.retry(failed.id, version);
		expect(retried.status).toBe('success');
		const documents = await documenso.documents();
		expect(documents.map(({ recipients }) => recipients[0]?.email).sort()).toEqual(emails);
	},
);
