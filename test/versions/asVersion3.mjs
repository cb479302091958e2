import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runOnce } from '../../demo/once.mjs';
import { root } from '../../n8n-host/paths.mjs';
import { choosePorts } from '../../n8n-host/ports.mjs';
import { setUpDemo } from '../../demo/setup.mjs';
import { table } from '../../n8n-host/table.mjs';

/** What n8n 3.0 sets by default and 2.x does not, from the rules of 2.40's migration report. */
const version3 = {
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// 3.0 blocks more addresses, for those who have the protection on. The local Documenso is on this machine.
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_BLOCKED_IP_RANGES: 'default,::/128,100.64.0.0/10,2002::/16,64:ff9b::/96',
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8',
};

/** The settings of the compose files that one process on this machine can have, too. */
const elsewhere =
	/^(DB_|QUEUE_|EXECUTIONS_MODE|N8N_(DISABLE_PRODUCTION|ENCRYPTION|STORAGE|RESTRICT|EDITOR|WEBHOOK))/;

/**
 * Runs the demo's main job in the n8n of the demo with 3.0's settings, and n8n's own migration report on the examples and on
 * the compose files. Resolves with whether all went well.
 */
export async function tryAsVersion3(stateFolder) {
	const runs = [
		{ name: 'unverified packages forbidden', env: { N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' } },
		{ name: 'unverified packages allowed', env: { N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' } },
		{ name: 'docs/docker/compose.yaml', env: await composed('docker', 'n8n') },
		{ name: 'docs/scaling/compose.yaml', env: await composed('scaling', 'main') },
	];
	const results = [];
	for (const { name, env } of runs) {
		console.log(`\n${name}`);
		const stateDir = await mkdtemp(join(stateFolder, 'as-3-'));
		const ports = await choosePorts({ n8n: undefined, documenso: undefined, inbox: undefined });
		const demo = await setUpDemo({ stateDir, ports, env: { ...version3, ...env } });
		try {
			const isComplete = await runOnce(demo);
			results.push({ name, isComplete, found: await migrationReport(demo.n8n.rest) });
		} finally {
			await Promise.all([demo.n8n.stop(), demo.emulator.stop(), demo.inbox.stop()]);
		}
	}
	const columns = {
		Settings: ({ name }) => name,
		'Main job': ({ isComplete }) => (isComplete ? 'completed' : 'FAILED'),
		"What n8n's report finds": ({ found }) => found.join('; ') || 'nothing',
	};
	console.log(`\n${table(columns, results)}\n`);
	return results.every(({ isComplete, found }) => isComplete && found.every(isExpected));
}

/** What it says of any n8n with these settings, whatever the workflows are. */
const ofAnyN8n = [
	'Compression node limits are lowered',
	'Docker becomes the only supported deployment method',
	'SSRF protection blocks more IP ranges by default',
	'Workflow import from URL is removed',
];
const isExpected = (finding) => ofAnyN8n.includes(finding);

async function composed(folder, service) {
	// Imported here, because on a fresh clone nothing is installed when this file loads.
	const { parse } = await import('yaml');
	const file = join(root, 'docs', folder, 'compose.yaml');
	const { services } = parse(await readFile(file, 'utf8'), { merge: true });
	const settings = Object.entries(services[service].environment);
	return Object.fromEntries(
		settings.filter(([name]) => !elsewhere.test(name)).map(([name, value]) => [name, `${value}`]),
	);
}

/** What n8n's report on the migration to 3.0 finds in the workflows, which are our examples, and in the settings. */
async function migrationReport(rest) {
	const path = '/breaking-changes/report/refresh?version=v3';
	const { report } = await rest.request('POST', path);
	const { instanceResults, workflowResults } = report;
	return [
		...instanceResults.map(({ ruleTitle }) => ruleTitle),
		...workflowResults.map(
			({ ruleTitle, nbAffectedWorkflows }) => `${ruleTitle} (${nbAffectedWorkflows} workflows)`,
		),
	];
}
