import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statfsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { run } from './children.mjs';
import { UserError } from './userError.mjs';
import { npm, root } from './paths.mjs';
import { step } from './progress.mjs';

const sources = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];
const bytesPerGigabyte = 1024 ** 3;

/** n8n (2.3 GB), npm's cache, and the compiled database driver. */
const n8nGigabytes = 4;

export function assertDiskSpace(folder, gigabytes = n8nGigabytes) {
	const { bavail, bsize } = statfsSync(folder);
	const free = (bavail * bsize) / bytesPerGigabyte;
	if (free < gigabytes) {
		throw new UserError(
			`The first start installs n8n and needs about ${gigabytes} GB; only ${free.toFixed(1)} GB are free on the disk of ${folder}.`,
		);
	}
}

/**
 * Whether node_modules matches the lock file. npm writes its record of what it installed at the very
 * end, so an interrupted installation doesn't count.
 */
export function isInstalled(folder) {
	const record = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(record)) return false;
	const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
	const installed = packagesOf(record);
	return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
		([path, wanted]) =>
			path === '' || wanted.optional || installed[path]?.integrity === wanted.integrity,
	);
}

export async function installDevelopmentPackages(logDir) {
	if (isInstalled(root)) return;
	await step('Installing the development packages (about a minute)', () =>
		run('npm ci', npm, ['ci'], { cwd: root, logFile: join(logDir, 'npm-ci.log') }),
	);
}

export async function buildPackage(logDir) {
	const dist = join(root, 'dist');
	const stamp = join(root, '.demo', 'build.hash');
	const digest = () => digestOf([...sources.map((name) => join(root, name)), dist]);
	if (existsSync(dist) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest()) return;

	await step('Building the package', () =>
		run('npm run build', npm, ['run', 'build'], { cwd: root, logFile: join(logDir, 'build.log') }),
	);
	await mkdir(join(root, '.demo'), { recursive: true });
	await writeFile(stamp, digest());
}

function digestOf(paths) {
	const hash = createHash('sha256');
	const add = (path) => {
		if (!existsSync(path)) return;
		hash.update(`${path}\0`);
		const children = childrenOf(path);
		if (children) children.forEach((name) => add(join(path, name)));
		else hash.update(readFileSync(path));
	};
	paths.forEach(add);
	return hash.digest('hex');
}

function childrenOf(path) {
	try {
		return readdirSync(path).sort();
	} catch {
		return undefined;
	}
}
