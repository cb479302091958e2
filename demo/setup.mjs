import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startEmulator } from '../n8n-host/local-documenso.mjs';
import { loadExamples, webhooksOf } from './examples.mjs';
import { startInbox } from './inbox.mjs';
import { installAndBuild } from '../n8n-host/install-n8n.mjs';
import { startN8n } from '../n8n-host/host.mjs';
import { packPackage } from '../n8n-host/package.mjs';
import { examples } from '../n8n-host/paths.mjs';
import { step } from '../n8n-host/progress.mjs';
import { readSeed, withColumns } from '../n8n-host/seed.mjs';

/** In the credential, and sent by the local Documenso. */
export const webhookSecret = 'demo-webhook-secret';

/** Installs what is missing, and starts the inbox, the local Documenso and n8n, which gets `env` as well. */
export async function setUpDemo({ stateDir, ports, env }) {
	const logDir = join(stateDir, 'logs');
	const node = await installAndBuild(logDir);
	const { apiToken, templates } = await readSeed();
	const signedDir = join(stateDir, 'signed');
	await mkdir(signedDir, { recursive: true });
	const inbox = await startInbox({ port: ports.inbox });
	const emulator = await step('Starting the local Documenso', () =>
		startEmulator({ port: ports.documenso, logDir }),
	);
	const credential = {
		id: 'documensoDemoApi',
		name: 'Local Documenso',
		type: 'documensoApi',
		data: { baseUrl: emulator.url, apiToken, webhookSecret },
	};
	const workflows = await loadExamples({
		credential,
		templates: await withColumns(templates, emulator, apiToken),
		signedDir,
		slackUrl: inbox.webhookUrl,
		pages: { documenso: emulator.url, inbox: inbox.url },
	});
	const n8n = await step('Starting n8n with the package in it', async () =>
		startN8n({
			node,
			stateDir,
			port: ports.n8n,
			packageTarball: await packPackage(join(stateDir, 'package'), logDir),
			credentials: [credential],
			workflows,
			env,
			fileFolders: [examples, signedDir],
		}),
	);
	for (const webhook of webhooksOf(workflows, n8n.url)) {
		await emulator.registerWebhook({ ...webhook, secret: webhookSecret });
	}
	return { n8n, emulator, inbox, workflows, signedDir };
}
