// Tries the package in n8n's queue mode, while its processes die: npm run test:queue -- --help
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

import { stopAll } from '../../n8n-host/children.mjs';
import { n8nCommand } from '../../n8n-host/install-n8n.mjs';
import { packPackage } from '../../n8n-host/package.mjs';
import { root } from '../../n8n-host/paths.mjs';
import { program } from '../../n8n-host/program.mjs';
import { step } from '../../n8n-host/progress.mjs';
import { installAndBuild } from '../../n8n-host/install-n8n.mjs';
import { Cluster } from './cluster.mjs';
import { readOptions } from './options.mjs';
import { faultsIn, report } from './report.mjs';
import { Stage } from './stage.mjs';

const stateFolder = join(root, '.demo', 'queue');

await program(async () => {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		console.log(options.usage);
		return 0;
	}
	await mkdir(stateFolder, { recursive: true });
	const stateDir = await mkdtemp(join(stateFolder, 'run-'));
	const file = options.json ?? join(stateFolder, 'results.json');
	// After each scenario: a run that is stopped has taken long, too.
	const keep = async (results) => await writeFile(file, JSON.stringify(results, undefined, '\t'));
	const { results, leakyLogs } = await play(options, stateDir, keep);
	console.log(report(results));
	console.log(`\nAs JSON: ${relative(process.cwd(), file)}`);
	const faults = [
		...faultsIn(results),
		...leakyLogs.map((name) => `There is a secret in the log ${name}.`),
	];
	if (faults.length > 0) {
		console.error(`\n${faults.join('\n')}\nAll logs: ${relative(process.cwd(), stateDir)}`);
		return 1;
	}
	await rm(stateDir, { recursive: true });
	return 0;
});

async function play({ chosen, n8n, settings }, stateDir, keep) {
	const logDir = join(stateDir, 'logs');
	const node = await installAndBuild(logDir);
	const packageTarball = await packPackage(join(stateDir, 'package'), logDir);
	const command = n8n ? resolve(n8n, 'node_modules', 'n8n', 'bin', 'n8n') : n8nCommand;
	const cluster = await step('Starting n8n in queue mode', () =>
		Cluster.start({ node, n8nCommand: command, stateDir, logDir, packageTarball, settings }),
	);
	const stage = await Stage.set(cluster);
	const results = [];
	for (const { name, title, count, run } of chosen) {
		for (const result of await step(title, () => run(stage, count))) {
			results.push({ scenario: name, title, ...result });
		}
		await keep(results);
	}
	await stopAll();
	await cluster.remove();
	const { apiToken, webhookSecret } = stage;
	return { results, leakyLogs: await cluster.logsWith([apiToken, webhookSecret]) };
}
