import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { notes } from './notes.mjs';
import { pinned } from './pinned.mjs';
import { examples } from '../n8n-host/paths.mjs';

const spreadsheet = { fileSelector: join(examples, 'rental-agreements.csv') };

/** What the demo shows, in this order, with the templates that are filled in. */
const shown = [
	['fill-template-from-spreadsheet.json', 'rentalAgreement'],
	['nda-from-a-form.json', 'mutualNda'],
	['slack-message-when-completed.json'],
	['create-send-and-file.json'],
	['contract-then-onboarding.json', 'employmentContract'],
	['approve-then-send.json'],
	['check-sheet-every-night.json', 'rentalAgreement'],
	['register-of-contracts.json', 'rentalAgreement'],
	['ndas-for-a-list.json', 'mutualNda'],
	['renew-leases.json', 'rentalAgreement'],
	['approve-incoming-invoices.json'],
	['quote-to-invoice.json'],
];

/** For what the demo shows first. With more triggers, a contract would be announced and filed more than once. */
const published = [
	'nda-from-a-form.json',
	'slack-message-when-completed.json',
	'create-send-and-file.json',
];

/**
 * The parameters of nodes that depend on this computer, by example and node. Nothing else may be set here, because the
 * demo should run what users import.
 */
const changes = {
	'fill-template-from-spreadsheet.json': ({ template }) => ({
		'Read the spreadsheet': spreadsheet,
		'Create and send the agreement': choice(template),
	}),
	'nda-from-a-form.json': ({ template }) => ({ 'Create and send the NDA': choice(template) }),
	'slack-message-when-completed.json': ({ slackUrl: url }) => ({ 'Post to Slack': { url } }),
	'create-send-and-file.json': ({ folder }) => ({
		'Read the PDF': { fileSelector: join(examples, 'service-agreement.pdf') },
		'File it': inFolder('signed', folder),
	}),
	'contract-then-onboarding.json': ({ template, slackUrl: url }) => ({
		'Send the contract and wait': choice(template),
		'Create the accounts': { url },
		'Tell HR how it ended': { url },
		'Tell HR that a link expired': { url },
	}),
	'approve-then-send.json': ({ folder, slackUrl: url }) => ({
		'File it': inFolder('signed', folder),
		'Tell that it was rejected': { url },
		'Tell who opened it': { url },
	}),
	'signing-links-by-chat.json': ({ template, slackUrl: url }) => ({
		'Read the spreadsheet': spreadsheet,
		'Create the agreement': choice(template),
		'Post to the chat': { url },
	}),
	'preview-approve-send.json': ({ template, slackUrl: url }) => ({
		'Read the spreadsheet': spreadsheet,
		'Preview the agreements': choice(template),
		'Send the agreements': choice(template),
		'Tell what is wrong': { url },
		'Ask for approval': { url },
	}),
	'check-sheet-every-night.json': ({ template, slackUrl: url }) => ({
		'Read the spreadsheet': spreadsheet,
		'Check the agreements': choice(template),
		'Tell the team': { url },
	}),
	'register-of-contracts.json': ({ template, slackUrl: url }) => ({
		'Make the renewal': choice(template),
		'Remind the team': { url },
	}),
	'ndas-for-a-list.json': ({ template }) => ({ 'Create and send the NDAs': choice(template) }),
	'renew-leases.json': ({ template }) => ({ 'Create and send the renewal': choice(template) }),
	'ai-agent-rental-agreements.json': ({ template }) => ({
		'Create and send an agreement': choice(template),
	}),
	'file-signed-pdf-by-customer.json': ({ folder }) => ({
		'File it with the customer': inFolder('customers', folder),
		'File it under new customers': inFolder('customers', folder),
	}),
	'chase-expired-links.json': ({ slackUrl: url }) => ({
		'Tell the team': { url },
		'Tell the team to call': { url },
	}),
};

/** The example workflows of the demo, with the addresses of its pages in the notes. */
export async function loadExamples({ credential, templates, signedDir, slackUrl, pages }) {
	const workflows = await Promise.all(
		shown.map(([file, template]) =>
			loadExample(file, credential, {
				template: templates[template],
				folder: signedDir,
				slackUrl,
			}),
		),
	);
	for (const { nodes } of workflows) for (const node of nodes) link(node, pages);
	return workflows;
}

/** Puts the addresses of the demo's pages into a note. */
function link({ parameters }, pages) {
	if (typeof parameters.content !== 'string') return;
	for (const [name, url] of Object.entries(pages)) {
		parameters.content = parameters.content.replaceAll(`{${name}}`, url);
	}
}

/** Replaces the example's folder with one on this computer. */
function inFolder(name, folder) {
	return ({ fileName }) => ({
		fileName: fileName.replace(`/home/node/.n8n-files/${name}`, folder),
	});
}

/**
 * What the editor stores for a template picked from the list. If it stored anything else when the node is opened, the
 * output of a node that has just run would count as outdated.
 */
function choice({ id, title, columns: schema = [] }) {
	return ({ columns }) => ({
		templateId: { __rl: true, mode: 'list', value: id, cachedResultName: title },
		columns: { ...columns, schema },
	});
}

/** An example, set up for this computer: with the demo's notes, and the credential in every node of this package. */
export async function loadExample(file, credential, here = {}) {
	const workflow = JSON.parse(await readFile(join(examples, file), 'utf8'));
	const newNotes = Object.entries(notes[file] ?? {}).map(([name, content]) => [name, { content }]);
	const newParameters = Object.entries(changes[file]?.(here) ?? {});
	for (const [name, change] of [...newNotes, ...newParameters]) {
		const node = workflow.nodes.find((candidate) => candidate.name === name);
		if (!node) throw new Error(`${file} has no node "${name}"; demo/examples.mjs sets it up.`);
		const { parameters } = node;
		Object.assign(parameters, typeof change === 'function' ? change(parameters) : change);
	}
	for (const node of workflow.nodes) {
		if (!node.type.startsWith('n8n-nodes-documenso.')) continue;
		node.credentials = { [credential.type]: { id: credential.id, name: credential.name } };
	}
	const pins = await pinned[file]?.();
	const state = published.includes(file) ? { active: true } : {};
	return { ...workflow, ...(pins ? { pinData: pinData(pins) } : {}), ...state };
}

/** As n8n stores it. */
function pinData(pins) {
	const asItem = (one) => ('binary' in one ? one : { json: one });
	return Object.fromEntries(Object.entries(pins).map(([node, items]) => [node, items.map(asItem)]));
}

/** What wakes executions that wait (docs/waiting.md). */
const waking = ['DOCUMENT_COMPLETED', 'DOCUMENT_REJECTED', 'DOCUMENT_CANCELLED'];

/** What to register in Documenso: the addresses of published triggers, with what their notes ask for. */
export function webhooksOf(workflows, n8nUrl) {
	return listening(workflows).flatMap(({ nodes }) =>
		nodes
			.filter(({ type }) => type === 'n8n-nodes-documenso.documensoTrigger')
			.map(({ webhookId, parameters }) => ({
				url: `${n8nUrl}/webhook/${webhookId}/webhook`,
				events: [...new Set([...waking, ...parameters.events])],
			})),
	);
}

/** The published workflows that react to what happens in Documenso. */
export function listening(workflows) {
	return workflows.filter(
		({ active, nodes }) =>
			active && nodes.some(({ type }) => type === 'n8n-nodes-documenso.documensoTrigger'),
	);
}

/** The address of the form that starts a workflow. */
export function formUrl(workflows, workflowName, n8nUrl) {
	const { nodes } = workflows.find(({ name }) => name === workflowName);
	const { webhookId } = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	return `${n8nUrl}/form/${webhookId}`;
}
