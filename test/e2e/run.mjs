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

/** Suites look into the local Documenso and empty it, so each worker of jest has its own, and its own n8n. Mostly they wait. */
const WORKERS = 3;

await program(async () => {
	if (process.argv.includes('--help')) {
		console.log('npm run test:e2e -- [arguments of jest, such as the name of a suite]');
		return 0;
	}
	await mkdir(stateFolder, { recursive: true });
	const stateDir = await mkdtemp(join(stateFolder, 'run-'));
	const logDir = join(stateDir, 'logs');
	await mkdir(logDir);
	const programs = {
		chromium: await findChromium(logDir),
		node: await installAndBuild(logDir),
		packageTarball: await packPackage(join(stateDir, 'package'), logDir),
	};
	const hosts = await step(`Starting ${WORKERS} × the local Documenso and n8n`, async () =>
		Promise.all(
			Array.from({ length: WORKERS }, async (_, worker) =>
				startHost(join(stateDir, `worker-${worker + 1}`), programs),
			),
		),
	);
	const jest = launchJest(hosts, programs);
	const children = hosts.flatMap(({ n8n, emulator }) => [n8n.child, emulator.child]);
	const code = await Promise.race([
		jest.exited,
		...children.map(async (child) => failWhenDead(child)),
	]);
	if (code !== 0) {
		console.error(`\nPictures of what failed, and all logs: ${relative(process.cwd(), stateDir)}`);
		return 1;
	}
	await stopAll();
	await rm(stateDir, { recursive: true });
	return 0;
});

/** What all suites of a worker share: a real n8n with the package in it, and the local Documenso. */
async function startHost(stateDir, { node, packageTarball }) {
	const logDir = join(stateDir, 'logs');
	await mkdir(logDir, { recursive: true });
	// As the service does it: each event is a job of its own.
	const emulator = await startEmulator({
		port: await freePort(),
		logDir,
		deliveries: 'concurrent',
	});
	// n8n compares with where a path really leads, and writes to no folder that a link leads to.
	const files = await realpath(stateDir).then((folder) => join(folder, 'files'));
	await mkdir(files);
	const n8n = await startN8n({
		node,
		stateDir,
		port: await freePort(),
		packageTarball,
		// Suites count what n8n does.
		env: { N8N_METRICS: 'true' },
		fileFolders: [examples, files],
	});
	return { n8n, emulator, files, pictures: stateDir };
}

function launchJest(hosts, programs) {
	const command = createRequire(import.meta.url).resolve('jest/bin/jest');
	const forSuites = hosts.map(({ n8n, emulator, files, pictures }) => ({
		...programs,
		...{ files, pictures },
		n8nUrl: n8n.url,
		n8nCookie: n8n.rest.cookie,
		n8nSignIn: n8n.signInUrl('/home/workflows'),
		documensoUrl: emulator.url,
	}));
	return launch(
		'jest',
		process.execPath,
		[
			// For the modules of the demo that suites import.
			'--experimental-vm-modules',
			'--disable-warning=ExperimentalWarning',
			command,
			'--config=jest.e2e.config.js',
			`--maxWorkers=${WORKERS}`,
			...process.argv.slice(2),
		],
		{ cwd: root, env: { ...process.env, E2E_HOSTS: JSON.stringify(forSuites) } },
	);
}
