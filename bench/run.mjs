// Compares this package, in a real n8n, with the alternatives: npm run bench -- --help
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { stopAll } from '../n8n-host/children.mjs';
import { root } from '../n8n-host/paths.mjs';
import { program } from '../n8n-host/program.mjs';
import { showProgressOn } from '../n8n-host/progress.mjs';
import { cases } from './cases/index.mjs';
import { chart } from './chart.mjs';
import { runCase } from './runCase.mjs';
import { Testbed } from './testbed.mjs';
import { machine } from './machine.mjs';
import { readOptions, usage } from './options.mjs';
import { writePage } from './page.mjs';
import { report } from './report.mjs';

await program(async () => {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		console.log(usage);
		return 0;
	}
	showProgressOn(process.stderr);
	const result = options.from
		? JSON.parse(await readFile(options.from, 'utf8'))
		: await measureAll(options);
	console.log(options.json ? JSON.stringify(result, undefined, '\t') : report(result));
	if (options.svg) await writeFile(options.svg, chart(result));
	if (options.page) await writePage(result);
	return 0;
});

async function measureAll({ chosen, runs, settings }) {
	const stateFolder = join(root, '.demo', 'bench');
	await mkdir(stateFolder, { recursive: true });
	const stateDir = await mkdtemp(join(stateFolder, 'run-'));
	const testbed = await Testbed.open(stateDir, settings);
	const results = [];
	for (const theCase of cases.filter(({ name }) => chosen.includes(name))) {
		results.push(await runCase(theCase, testbed, runs));
	}
	await stopAll();
	await rm(stateDir, { recursive: true });
	return { date: new Date().toISOString(), machine: machine(testbed.node), cases: results };
}
