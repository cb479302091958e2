import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { run } from './children.mjs';
import { UserError } from './userError.mjs';
import { root } from './paths.mjs';
import { step } from './progress.mjs';

const sources = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];
const bytesPerGigabyte = 1024 ** 3;

/** n8n (2.1 GB until its source maps are gone), npm's cache, and the compiled database driver. */
const n8nGigabytes = 3;

export function assertDiskSpace(folder) {
	const { bavail, bsize } = statfsSync(folder);
	const free = (bavail * bsize) / bytesPerGigabyte;
	if (free < n8nGigabytes) {
		throw new UserError(
			`The first start installs n8n and needs about ${n8nGigabytes} GB; only ${free.toFixed(1)} GB are free on the disk of ${folder}.`,
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
		installPackages(root, join(logDir, 'npm-ci.log')),
	);
}

/**
 * Installs what the lock file of a folder names. It does not say where the packages are, because that depends on the
 * registry. npm would ask for each, which takes a third of the time and of the cache, so it gets a lock file that says it.
 */
export async function installPackages(folder, logFile) {
	// `npm run --silent` would silence the reason of a failure, too.
	const install = () => run('npm ci', 'npm', ['ci', '--loglevel=notice'], { cwd: folder, logFile });
	// npm prefers a lock file of this name.
	const complete = join(folder, 'npm-shrinkwrap.json');
	try {
		await writeFile(
			complete,
			withAddresses(readFileSync(join(folder, 'package-lock.json'), 'utf8')),
		);
		await install();
	} catch {
		// Some registries keep their packages at other addresses.
		await rm(complete, { force: true });
		await install();
	} finally {
		await rm(complete, { force: true });
	}
	await removeSourceMaps(join(folder, 'node_modules'));
}

/** Nobody debugs these packages here, and their maps are a fifth of what they take on the disk. */
async function removeSourceMaps(folder) {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const maps = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.map'));
	await Promise.all(maps.map(({ parentPath, name }) => rm(join(parentPath, name))));
}

function withAddresses(lockFile) {
	const lock = JSON.parse(lockFile);
	const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
	for (const [path, entry] of Object.entries(lock.packages)) {
		if (entry.integrity === undefined) continue;
		// Of an alias, npm notes the real name.
		const name =
			entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
		const file = `${name.split('/').at(-1)}-${entry.version}.tgz`;
		entry.resolved = `${registry.replace(/\/$/, '')}/${name}/-/${file}`;
	}
	return JSON.stringify(lock);
}

export async function buildPackage(logDir) {
	const dist = join(root, 'dist');
	const stamp = join(root, '.demo', 'build.hash');
	const digest = () => digestOf([...sources.map((name) => join(root, name)), dist]);
	if (existsSync(dist) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest()) return;

	await step('Building the package', () =>
		run('npm run build', 'npm', ['run', 'build'], {
			cwd: root,
			logFile: join(logDir, 'build.log'),
		}),
	);
	await mkdir(join(root, '.demo'), { recursive: true });
	await writeFile(stamp, digest());
}

function digestOf(paths) {
	const hash = createHash('sha256');
	for (const file of paths.filter((path) => existsSync(path)).flatMap(filesIn)) {
		hash.update(`${file}\0`);
		hash.update(readFileSync(file));
	}
	return hash.digest('hex');
}

function filesIn(path) {
	if (!statSync(path).isDirectory()) return [path];
	const entries = readdirSync(path, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}
