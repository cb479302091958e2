// Tries the packed package in the oldest n8n that the README promises and in the newest: npm run test:versions
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';

import { launch, run } from '../../n8n-host/children.mjs';
import { assertDiskSpace } from '../../n8n-host/install.mjs';
import { n8nFolder, root } from '../../n8n-host/paths.mjs';
import { program } from '../../n8n-host/program.mjs';
import { step } from '../../n8n-host/progress.mjs';
import { UserError } from '../../n8n-host/userError.mjs';
import { tryAsVersion3 } from './asVersion3.mjs';

const usage = `npm run test:versions                      the oldest n8n that the README promises, and the newest
npm run test:versions -- 2.0.3 FOLDER      these: versions, or folders in which an n8n is installed
npm run test:versions -- --as 3            the n8n of the demo with the settings of n8n 3.0, and n8n's migration report

It needs 3 GB for each version, and what npm run test:queue needs.`;

const stateFolder = join(root, '.demo', 'versions');
const logDir = join(stateFolder, 'logs');

await program(async () => {
	const asked = process.argv.slice(2);
	await mkdir(logDir, { recursive: true });
	if (asked.join(' ') === '--as 3') return (await tryAsVersion3(stateFolder)) ? 0 : 1;
	if (asked.some((one) => one.startsWith('-'))) {
		console.log(usage);
		return asked.includes('--help') ? 0 : 1;
	}
	const failed = [];
	for (const one of asked.length > 0 ? asked : [await oldest(), newest()]) {
		const folder = existsSync(one) ? resolve(one) : await install(one);
		const { version } = await manifestIn(join(folder, 'node_modules', 'n8n'));
		console.log(`\nn8n ${version}`);
		if ((await tryIn(folder)) !== 0) failed.push(version);
	}
	console.log(failed.length > 0 ? `\nFailed in n8n ${failed.join(', ')}` : '\nAll succeeded');
	return failed.length > 0 ? 1 : 0;
});

/**
 * Rows become contracts, and the trigger hears of each once: by deliveries, after a restart, and after n8n was down. No
 * redirect takes the token to another host.
 */
async function tryIn(folder) {
	const queue = join(root, 'test', 'queue', 'run.mjs');
	// Older versions do not start if they are told to disable a module that they do not have.
	const env = ['--env', 'N8N_DISABLED_MODULES='];
	const args = [
		queue,
		'--rows',
		'20',
		'--only',
		'nothing,down,thrice,redirects,refused',
		'--n8n',
		folder,
		...env,
	];
	return await launch('test:queue', process.execPath, args, { cwd: root }).exited;
}

async function oldest() {
	const readme = await readFile(join(root, 'README.md'), 'utf8');
	const [, version] = /n8n\s+\|\s+(\d+\.\d+\.\d+) or newer/.exec(readme) ?? [];
	if (!version) throw new UserError('README.md no longer says which n8n the package needs.');
	return version;
}

function newest() {
	return execFileSync('npm', ['view', 'n8n', 'version'], { encoding: 'utf8' }).trim();
}

async function install(version) {
	if (!/^\d+\.\d+\.\d+$/.test(version)) {
		throw new UserError(`"${version}" is neither a version of n8n nor a folder.\n\n${usage}`);
	}
	const folder = join(stateFolder, version);
	// npm writes this at the very end.
	if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return folder;
	await mkdir(folder, { recursive: true });
	assertDiskSpace(folder);
	const { dependencies, overrides } = await manifestIn(n8nFolder);
	const manifest = {
		private: true,
		dependencies: { ...dependencies, n8n: version },
		// n8n names a version of xlsx that is in no registry.
		overrides: { ...overrides, xlsx: '0.18.5' },
	};
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	// `npm run --silent` would silence the reason of a failure, too.
	const args = ['install', '--loglevel=notice', '--ignore-scripts', '--legacy-peer-deps'];
	await step(`Installing n8n ${version} (a few minutes, once)`, () =>
		run('npm install', 'npm', args, {
			cwd: folder,
			logFile: join(logDir, `npm-install-${version}.log`),
		}),
	);
	return folder;
}

async function manifestIn(folder) {
	const file = join(folder, 'package.json');
	if (!existsSync(file)) throw new UserError(`There is no ${relative(process.cwd(), file)}.`);
	return JSON.parse(await readFile(file, 'utf8'));
}
