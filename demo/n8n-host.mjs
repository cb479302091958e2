import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { failWhenDead, launch, run } from './children.mjs';
import { UserError } from './userError.mjs';
import { n8nCommand } from './install-n8n.mjs';
import { n8nEnvironment } from './n8n-environment.mjs';
import { N8nRest } from './n8n-rest.mjs';
import { packageName, unpackPackage } from './package.mjs';
import { freePort } from './ports.mjs';

const readyWithinMs = 120_000;

/** Not secret: this n8n listens on the loopback address only, and contains only demo data. */
export const owner = {
	email: 'demo@example.com',
	password: 'Documenso-Demo-1',
	firstName: 'Demo',
	lastName: 'User',
};

/**
 * Starts a real n8n with the package installed as n8n would install it. Workflows whose `active` is true
 * are published. Its nodes may read and write only in `fileFolders`.
 */
export async function startN8n({
	node,
	stateDir,
	port,
	env = {},
	packageTarball,
	credentials = [],
	workflows = [],
	fileFolders = [],
	logDir = join(stateDir, 'logs'),
}) {
	const userFolder = join(stateDir, 'n8n');
	await mkdir(userFolder, { recursive: true });
	await unpackPackage(packageTarball, userFolder, logDir);
	const environment = {
		...n8nEnvironment({
			userFolder,
			port,
			brokerPort: await freePort(),
			encryptionKey: await encryptionKeyOf(userFolder),
			fileFolders,
		}),
		...env,
	};
	// Importing overwrites changes made in the editor, so only new content is imported.
	const stamp = join(userFolder, 'imported');
	const digest = createHash('sha256')
		.update(JSON.stringify([credentials, workflows]))
		.digest('hex');
	const isNew = !existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest;
	if (isNew) {
		const n8n = { node, environment, userFolder, logDir };
		await importEntries(n8n, 'credentials', credentials);
		await importEntries(n8n, 'workflow', workflows);
	}

	const child = launch('n8n', node, [n8nCommand, 'start'], {
		cwd: userFolder,
		env: environment,
		logFile: join(logDir, 'n8n.log'),
	});
	const url = `http://127.0.0.1:${port}`;
	const rest = new N8nRest(url);
	try {
		await Promise.race([ready(url), failWhenDead(child)]);
		await rest.logIn(owner);
		await assertLoaded(rest);
		if (isNew) {
			for (const { id, active } of workflows) if (active) await rest.publish(id);
			await writeFile(stamp, digest);
		}
	} catch (error) {
		await child.stop();
		throw error;
	}
	return { url, rest, child, stop: child.stop };
}

async function importEntries({ node, environment, userFolder, logDir }, kind, entries) {
	if (entries.length === 0) return;
	const file = join(userFolder, `${kind}.json`);
	await writeFile(file, JSON.stringify(entries), { mode: 0o600 });
	await run(`n8n import:${kind}`, node, [n8nCommand, `import:${kind}`, `--input=${file}`], {
		cwd: userFolder,
		env: environment,
		logFile: join(logDir, `import-${kind}.log`),
	});
	await rm(file);
}

async function encryptionKeyOf(userFolder) {
	const file = join(userFolder, 'encryption-key');
	if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 });
	return readFileSync(file, 'utf8');
}

async function ready(url) {
	const deadline = Date.now() + readyWithinMs;
	while (Date.now() < deadline) {
		const response = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
		if (response?.ok) return;
		await sleep(200);
	}
	throw new UserError(`n8n was not ready after ${readyWithinMs / 1000} s.`);
}

/** Throws if n8n does not know the package's nodes. */
export async function assertLoaded(rest) {
	const nodeInfos = [{ name: `${packageName}.documenso`, version: 1 }];
	const types = await rest.request('POST', '/node-types', { nodeInfos }).catch(() => []);
	if (types.length === 0) {
		throw new UserError(`n8n did not load ${packageName}; its log says why.`);
	}
}
