import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { eventually } from './eventually';
import { host } from './host';

/** What a browser sends when somebody fills in the workflow's form: published, or as "Execute workflow" opens it. */
export async function fillIn(
	{ nodes }: Example,
	answers: Array<string | File>,
	path: 'form' | 'form-test' = 'form',
) {
	const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	await eventually(async () => {
		const body = new FormData();
		for (const [index, answer] of answers.entries()) body.append(`field-${index}`, answer);
		const sent = { method: 'POST', body };
		const { status } = await fetch(`${host.n8nUrl}/${path}/${form?.webhookId}`, sent);
		return status === 200 || undefined;
	});
}
