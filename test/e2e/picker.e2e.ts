import { useDocumenso } from './documenso';
import { useEditor } from './editor';
import { useN8n } from './n8n';
import { succeeded } from './notice';

const n8n = useN8n();
const documenso = useDocumenso();
const inEditor = useEditor();

test(
	'a template is picked from a list, and what it holds is read',
	inEditor(async (editor) => {
		const id = await n8n.createWorkflow([{}], { resource: 'document' });
		await editor.openWorkflow(id);
		const node = await editor.openNode('Documenso');
		await node.choose('resource', 'Template');
		await node.choose('operation', 'Get');
		await node.pick('templateId', 'Mutual NDA');
		expect(await node.execute()).toMatch(succeeded);
		expect(await node.output()).toContain('Mutual NDA');
		expect(await documenso.calls()).toContain('GET /envelope/envelope_mutualndatemplat');
	}),
);

test.each(['agreement', 'NDA', 'contract template', 'sign PDF'])(
	'the node creator finds the node by "%s"',
	async (words) => {
		const find = inEditor(async (editor) => {
			await editor.openWorkflow(await n8n.createWorkflow([{}], { resource: 'document' }));
			expect(await editor.findNodes(words)).toContain('Documenso');
		});
		await find();
	},
);
