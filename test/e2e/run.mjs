// Runs the end-to-end tests: npm run test:e2e -- [arguments of jest]
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

import { failWhenDead, launch, stopAll } from '../../n8n-host/children.mjs';
import { startEmulator } from '../../n8n-host/local-documenso.mjs';
import { startN8n } from '../../n8n-host/host.mjs';
import { packPackage } from '../../n8n-host/package.mjs';
import { examples, root } from '../../n8n-host/paths.mjs';
import { freePort } from '../../n8n-host/ports.mjs';
import { program } from '../../n8n-host/program.mjs';
import { step } from '../../n8n-host/progress.mjs';
import { installAndBuild } from '../../n8n-host/install-n8n.mjs';
import { findChromium } from './chromium.mjs';

const stateFolder = join(root, '.demo', 'e2e');

await program(async () => {
	if (process.argv.includes('--help')) {
		console.log('npm run test:e2e -- [arguments of jest, such as the name of a suite]');
		return 0;
	}
	await mkdir(stateFolder, { recursive: true });
	const stateDir = await mkdtemp(join(stateFolder, 'run-'));
	const host = await startHost(stateDir);
	const jest = launchJest(host, stateDir);
	const code = await Promise.race([
		jest.exited,
		failWhenDead(host.n8n.child),
		failWhenDead(host.emulator.child),
	]);
	if (code !== 0) {
		console.error(`\nPictures of what failed, and all logs: ${relative(process.cwd(), stateDir)}`);
		return 1;
	}
	await stopAll();
	await rm(stateDir, { recursive: true });
	return 0;
});

/** What all suites share: a real n8n with the package in it, the local Documenso, and a browser. */
async function startHost(stateDir) {
	const logDir = join(stateDir, 'logs');
	await mkdir(logDir, { recursive: true });
	const chromium = await findChromium(logDir);
	const node = await installAndBuild(logDir);
	const emulator = await step('Starting the local Documenso', async () =>
		// As the service does it: each event is a job of its own.
		startEmulator({ port: await freePort(), logDir, deliveries: 'concurrent' }),
	);
	const packageTarball = await packPackage(join(stateDir, 'package'), logDir);
	// n8n compares with where a path really leads, and writes to no folder that a link leads to.
	const files = await realpath(stateDir).then((folder) => join(folder, 'files'));
	await mkdir(files);
	const n8n = await step('Starting n8n with the package in it', async () =>
		startN8n({
			node,
			stateDir,
			port: await freePort(),
			packageTarball,
			// Suites count what n8n does.
			env: { N8N_METRICS: 'true' },
			fileFolders: [examples, files],
		}),
	);
	return { n8n, emulator, chromium, node, packageTarball, files };
}

function launchJest({ n8n, emulator, chromium, node, packageTarball, files }, stateDir) {
	const command = createRequire(import.meta.url).resolve('jest/bin/jest');
	return launch(
		'jest',
		process.execPath,
		[
			// For the modules of the demo that suites import.
			'--experimental-vm-modules',
			'--disable-warning=ExperimentalWarning',
			command,
			'--config=jest.e2e.config.js',
			...process.argv.slice(2),
		],
		{
			cwd: root,
			env: {
				...process.env,
				E2E_N8N_URL: n8n.url,
				E2E_N8N_COOKIE: n8n.rest.cookie,
				E2E_N8N_SIGN_IN: n8n.signInUrl('/home/workflows'),
				E2E_DOCUMENSO_URL: emulator.url,
				E2E_CHROMIUM: chromium,
				E2E_PICTURES: stateDir,
				E2E_FILES: files,
				E2E_NODE: node,
				E2E_PACKAGE: packageTarball,
			},
		},
	);
}
