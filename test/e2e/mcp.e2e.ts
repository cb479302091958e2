import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { useDocumenso } from './documenso';
import { eventually } from './eventually';
import { useN8n } from './n8n';

const n8n = useN8n();
const documenso = useDocumenso();

const template = { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id };
const document = { __rl: true, mode: 'id', value: "={{ $fromAI('document') }}" };
const recipient = { __rl: true, mode: 'id', value: "={{ $fromAI('recipient') }}" };

const CREATE = 'Create_and_send_an_agreement';

/** What a model could be given, by the names of the tools. Those that create come first. */
const TOOLS: Record<string, IDataObject> = {
	[CREATE]: {
		...{ resource: 'template', operation: 'createDocument', templateId: template },
		columns: {
			mappingMode: 'defineBelow',
			value: {
				'Tenant email': "={{ $fromAI('email') }}",
				'Tenant name': 'Zoë',
				...{ Address: '1 Quay', Rent: 900, 'Start date': '2027-02-01', Payment: 'Card' },
			},
		},
	},
	Preview_an_agreement: {
		...{ resource: 'template', operation: 'previewDocument', templateId: template },
		columns: { mappingMode: 'defineBelow', value: { 'Tenant email': 'zoe@example.com' } },
		additionalFields: { ifFieldStaysBlank: 'leave' },
	},
	Copy_a_template: { resource: 'template', operation: 'duplicate', templateId: template },
	Get_a_template: { resource: 'template', operation: 'get', templateId: template },
	Get_templates: { resource: 'template', operation: 'getAll' },
	Copy_a_document: { resource: 'document', operation: 'duplicate', documentId: document },
	Get_a_document: { resource: 'document', operation: 'get', documentId: document },
	Get_documents: { resource: 'document', operation: 'getAll' },
	Get_stuck_documents: {
		...{ resource: 'document', operation: 'getAll', filters: { onlyStuck: true } },
	},
	Get_an_audit_log: { resource: 'document', operation: 'getAuditLog', documentId: document },
	Update_a_document: {
		...{ resource: 'document', operation: 'update', documentId: document },
		updateFields: { title: 'Another title' },
	},
	Remind: { resource: 'document', operation: 'resend', documentId: document },
	Get_recipients: { resource: 'recipient', operation: 'getAll' },
	Get_a_recipient: { resource: 'recipient', operation: 'get', recipientId: recipient },
	Get_a_signing_link: {
		...{ resource: 'recipient', operation: 'getSigningLink', recipientId: recipient },
	},
	Verify_an_embed_token: { resource: 'embedToken', operation: 'verify', token: 'none' },
	Add_a_link: {
		...{ resource: 'attachment', operation: 'create', envelopeId: document },
		...{ label: 'Terms', data: 'https://example.com' },
	},
	Get_links: { resource: 'attachment', operation: 'getAll', envelopeId: document },
	Create_a_folder: { resource: 'folder', operation: 'create', name: 'Leases', type: 'DOCUMENT' },
	Get_folders: { resource: 'folder', operation: 'getAll' },
	Create_a_direct_link: {
		...{ resource: 'directLink', operation: 'create', templateId: template },
	},
	Disable_a_direct_link: { resource: 'directLink', operation: 'disable', templateId: template },
	Create_an_embed_token: { resource: 'embedToken', operation: 'create' },
	Cancel: { resource: 'document', operation: 'cancel', documentId: document },
};

const PATH = 'documenso-tools';

async function publishTools() {
	const { credential } = n8n;
	const trigger = {
		...{ id: 'trigger', name: 'MCP', type: '@n8n/n8n-nodes-langchain.mcpTrigger' },
		...{ typeVersion: 2, position: [0, 0], webhookId: PATH },
		parameters: { authentication: 'none', path: PATH },
	};
	const tools = Object.entries(TOOLS).map(([name, parameters], index) => ({
		...{ id: name, name, type: 'n8n-nodes-documenso.documensoTool', typeVersion: 1 },
		position: [index * 200, 200],
		parameters: { ...parameters, toolDescription: name },
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	}));
	const connections = Object.fromEntries(
		tools.map(({ name }) => [name, { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] }]),
	);
	const workflow = { name: PATH, nodes: [trigger, ...tools], connections, settings: {} };
	const { id } = (await n8n.rest.request('POST', '/workflows', workflow)) as { id: string };
	await n8n.rest.publish(id);
	const url = new URL(`${n8n.url}/mcp/${PATH}`);
	// It listens a moment later.
	await eventually(async () => (await fetch(url, { method: 'POST' })).status !== 404 || undefined);
	return url;
}

test("all tools work under n8n's MCP Server Trigger, which has no execution", async () => {
	const url = await publishTools();
	const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
	const { StreamableHTTPClientTransport } =
		await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
	const client = new Client({ name: 'test', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(url));
	try {
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(TOOLS).sort());
		const sent = await documenso.send({ name: 'Nora', email: 'nora@example.com' });
		const [first] = sent.recipients;
		// Before a direct link has added somebody to the template.
		const again = { name: CREATE, arguments: { email: 'tom@example.com' } };
		expect(JSON.stringify(await client.callTool(again))).toContain('PENDING');
		const answers: Record<string, string> = {};
		for (const name of Object.keys(TOOLS)) {
			const input = { email: 'zoe@example.com', document: sent.id, recipient: String(first?.id) };
			const { content } = await client.callTool({ name, arguments: input });
			answers[name] = JSON.stringify(content);
		}
		const failed = Object.entries(answers).filter(([, answer]) =>
			/error|cannot|undefined/i.test(answer),
		);
		expect(failed).toEqual([]);
		const created = (await documenso.documents()).filter(({ recipients }) =>
			recipients.some(({ email }) => /^(zoe|tom)@example.com$/.test(email)),
		);
		expect(created.map(({ recipients }) => recipients[0]?.email).sort()).toEqual([
			'tom@example.com',
			'zoe@example.com',
		]);
	} finally {
		await client.close();
	}
});
