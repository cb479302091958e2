import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { failWhenDead, stopAll } from '../n8n-host/children.mjs';
import { UserError } from '../n8n-host/userError.mjs';
import { formUrl, listening } from './examples.mjs';
import { lock } from './lock.mjs';
import { runOnce } from './once.mjs';
import { readOptions, usage } from './options.mjs';
import { root } from '../n8n-host/paths.mjs';
import { choosePorts } from '../n8n-host/ports.mjs';
import { program } from '../n8n-host/program.mjs';
import { setUpDemo, webhookSecret } from './setup.mjs';

const stateFolder = join(root, '.demo');

export const main = (args) => program(() => demo(args));

async function demo(args) {
	const options = readOptions(args);
	if (options.help) {
		console.log(usage);
		return 0;
	}
	if (process.platform === 'win32') {
		throw new UserError('The demo runs on Linux and macOS; on Windows, start it inside WSL.');
	}
	return options.once ? demoOnce(options) : demoUntilStopped(options);
}

async function demoUntilStopped(options) {
	await lock(stateFolder);
	const ports = await choosePorts(options.ports);
	const demo = await setUpDemo({ stateDir: stateFolder, ports });
	console.log(instructions(demo));
	return untilDead(demo);
}

async function demoOnce(options) {
	const ports = await choosePorts(options.ports);
	await mkdir(stateFolder, { recursive: true });
	const stateDir = await mkdtemp(join(stateFolder, 'once-'));
	try {
		const demo = await setUpDemo({ stateDir, ports });
		const complete = await Promise.race([runOnce(demo), untilDead(demo)]);
		if (!complete)
			throw new UserError('The demo is not complete; what is missing is listed above.');
	} catch (error) {
		console.error(`\nAll files and logs are kept in ${relative(process.cwd(), stateDir)}`);
		throw error;
	}
	await stopAll();
	await rm(stateDir, { recursive: true });
	return 0;
}

function untilDead({ n8n, emulator }) {
	return Promise.race([failWhenDead(n8n.child), failWhenDead(emulator.child)]);
}

function instructions({ n8n, emulator, inbox, workflows, signedDir }) {
	const [first] = workflows;
	const form = (name) => formUrl(workflows, name, n8n.url);
	const signed = relative(process.cwd(), signedDir);
	const listeners = listening(workflows).map(({ name }) => `- ${name}`);
	return `
  n8n               ${n8n.url}    ${n8n.owner.email} / ${n8n.owner.password}
  Local Documenso   ${emulator.url}    documents, signing pages, webhooks
  Inbox             ${inbox.url}    messages, as Slack would get them

  1. Open ${n8n.signInUrl(`/workflow/${first.id}`)}
     and click "Execute workflow": six rows of examples/rental-agreements.csv become six documents. The link signs you in:
     keep it to yourself.
  2. Open the local Documenso, and sign one of them as both of its signers.
  3. A message arrives in the inbox, and the signed PDF in ${signed}.

  Or be a visitor: fill in the form at ${form('Send me an NDA')}
     and sign your NDA on the page that opens.

  Or let an execution wait for signatures: publish "Contract, then onboarding" in n8n, fill in its form at
     ${form('Contract, then onboarding')}
     and sign the contract in the local Documenso as both of its signers. Two messages arrive in the inbox: that the contract is
     completed, as for every document, and the request to create the accounts.
     "Approve, then send to the customer" waits twice. Its form is at ${form('Approve, then send to the customer')}

  Or try what needs accounts elsewhere, with pinned data in the place of Google Sheets, Gmail and Slack: "NDAs for a list of
     people", "Renew leases that end soon", "Approve invoices that come by email" and "Quote, signature, invoice".

  Or build your own workflow, and register its Documenso Trigger at
     ${emulator.url}/t/demo/settings/webhooks with the secret ${webhookSecret}
     These workflows are published already, and react to every completed document, too. Unpublish them if they are in your way:
     ${listeners.join('\n     ')}

  The next start keeps n8n's workflows and executions, and the PDFs in ${signed}. It begins without the
  documents and webhooks of the local Documenso, and with an empty inbox. To start all over, delete ${relative(process.cwd(), stateFolder)}.

  Ctrl-C stops everything.`;
}
