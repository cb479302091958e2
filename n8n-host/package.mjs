import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { run } from './children.mjs';
import { root } from './paths.mjs';

export const packageName = 'n8n-nodes-documenso';

/** Packs the tarball that would be published. */
export async function packPackage(folder, logDir) {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await run('npm pack', 'npm', ['pack', '--pack-destination', folder], {
		cwd: root,
		logFile: join(logDir, 'npm-pack.log'),
	});
	const [tarball] = await readdir(folder);
	return join(folder, tarball);
}

/**
 * Does what n8n's installer does with a community package. Outside `.n8n/nodes`, n8n would prefix the
 * node types with `CUSTOM.`, and users' workflows would not find them.
 */
export async function unpackPackage(tarball, userFolder, logDir) {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await run('tar', 'tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], {
		logFile: join(logDir, 'unpack.log'),
	});

	const file = join(folder, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8'));
	delete manifest.devDependencies;
	delete manifest.peerDependencies;
	delete manifest.optionalDependencies;
	await writeFile(file, JSON.stringify(manifest, null, 2));
}
