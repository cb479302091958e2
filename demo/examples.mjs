import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { notes } from './notes.mjs';
import { pinned } from './pinned.mjs';
import { examples } from '../n8n-host/paths.mjs';

const spreadsheet = { fileSelector: join(examples, 'rental-agreements.csv') };
/** For what the demo shows first. With more triggers, a contract would be announced and filed more than once. */
const published = { active: true };

/**
 * The example workflows. Only what depends on this computer may be set here, and the notes, because the demo
 * should run what users import.
 */
export async function loadExamples({ credential, templates, signedDir, slackUrl, pages }) {
	const workflows = await Promise.all([
		fillTemplate(credential, templates.rentalAgreement),
		ndaFromAForm(credential, templates.mutualNda),
		load(
			'slack-message-when-completed.json',
			credential,
			{ 'Post to Slack': { url: slackUrl } },
			published,
		),
		load(
			'create-send-and-file.json',
			credential,
			{
				'Read the PDF': { fileSelector: join(examples, 'service-agreement.pdf') },
				'File it': inFolder('signed', signedDir),
			},
			published,
		),
		contractThenOnboarding(credential, templates.employmentContract, slackUrl),
		approveThenSend(credential, signedDir, slackUrl),
		checkEveryNight(credential, templates.rentalAgreement, slackUrl),
		contractRegister(credential, templates.rentalAgreement, slackUrl),
		ndasForAList(credential, templates.mutualNda),
		renewLeases(credential, templates.rentalAgreement),
		approveInvoices(credential),
		quoteToInvoice(credential),
	]);
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

export function fillTemplate(credential, template) {
	return load('fill-template-from-spreadsheet.json', credential, {
		'Read the spreadsheet': spreadsheet,
		'Create and send the agreement': choice(template),
	});
}

export function ndaFromAForm(credential, template) {
	const changes = { 'Create and send the NDA': choice(template) };
	return load('nda-from-a-form.json', credential, changes, published);
}

export function contractThenOnboarding(credential, template, slackUrl) {
	const changes = {
		'Send the contract and wait': choice(template),
		'Create the accounts': { url: slackUrl },
		'Tell HR how it ended': { url: slackUrl },
		'Tell HR that a link expired': { url: slackUrl },
	};
	return load('contract-then-onboarding.json', credential, changes);
}

export function approveThenSend(credential, signedDir, slackUrl) {
	const changes = {
		'File it': inFolder('signed', signedDir),
		'Tell that it was rejected': { url: slackUrl },
		'Tell who opened it': { url: slackUrl },
	};
	return load('approve-then-send.json', credential, changes);
}

export function signingLinksByChat(credential, template, slackUrl) {
	return load('signing-links-by-chat.json', credential, {
		'Read the spreadsheet': spreadsheet,
		'Create the agreement': choice(template),
		'Post to the chat': { url: slackUrl },
	});
}

export function previewApproveSend(credential, template, slackUrl) {
	return load('preview-approve-send.json', credential, {
		'Read the spreadsheet': spreadsheet,
		'Preview the agreements': choice(template),
		'Send the agreements': choice(template),
		'Tell what is wrong': { url: slackUrl },
		'Ask for approval': { url: slackUrl },
	});
}

export function checkEveryNight(credential, template, slackUrl) {
	return load('check-sheet-every-night.json', credential, {
		'Read the spreadsheet': spreadsheet,
		'Check the agreements': choice(template),
		'Tell the team': { url: slackUrl },
	});
}

export function contractRegister(credential, template, slackUrl) {
	const changes = {
		'Make the renewal': choice(template),
		'Remind the team': { url: slackUrl },
	};
	return load('register-of-contracts.json', credential, changes);
}

export function ndasForAList(credential, template) {
	const changes = { 'Create and send the NDAs': choice(template) };
	return load('ndas-for-a-list.json', credential, changes);
}

export function renewLeases(credential, template) {
	const changes = { 'Create and send the renewal': choice(template) };
	return load('renew-leases.json', credential, changes);
}

export function approveInvoices(credential) {
	return load('approve-incoming-invoices.json', credential, {});
}

export function quoteToInvoice(credential) {
	return load('quote-to-invoice.json', credential, {});
}

export function rentalAgent(credential, template) {
	const changes = { 'Create and send an agreement': choice(template) };
	return load('ai-agent-rental-agreements.json', credential, changes);
}

export function fileByCustomer(credential, customersDir) {
	const change = inFolder('customers', customersDir);
	return load('file-signed-pdf-by-customer.json', credential, {
		'File it with the customer': change,
		'File it under new customers': change,
	});
}

export function chaseExpired(credential, slackUrl) {
	return load('chase-expired-links.json', credential, {
		'Tell the team': { url: slackUrl },
		'Tell the team to call': { url: slackUrl },
	});
}

export function statusBoard(credential) {
	return load('status-board.json', credential, {});
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

/** Sets parameters of named nodes, and the credential of every node of this package. */
async function load(file, credential, changes, state = {}) {
	const workflow = JSON.parse(await readFile(join(examples, file), 'utf8'));
	const newNotes = Object.entries(notes[file] ?? {}).map(([name, content]) => [name, { content }]);
	for (const [name, change] of [...newNotes, ...Object.entries(changes)]) {
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
