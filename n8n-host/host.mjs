import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { failWhenDead, launch, run } from './children.mjs';
import { UserError } from './userError.mjs';
import { n8nCommand } from './install-n8n.mjs';
import { n8nEnvironment } from './environment.mjs';
import { N8nRest } from './rest.mjs';
import { packageName, unpackPackage } from './package.mjs';
import { freePort } from './ports.mjs';

const readyWithinMs = 120_000;

const guard = new URL('guard.mjs', import.meta.url).href;

/** Each demo has another password. n8n wants a digit and a capital letter in it. */
export function newOwner() {
	const password = `N8n-${randomBytes(16).toString('hex')}`;
	return { email: 'demo@example.com', password, firstName: 'Demo', lastName: 'User' };
}

/**
 * Starts a real n8n with the package installed as n8n would install it. Workflows whose `active` is true
 * are published. Its nodes may read and write only in `fileFolders`. `signInUrl` signs a browser in, and
 * opens the path that is added to it.
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
}) {
	const logDir = join(stateDir, 'logs');
	const userFolder = join(stateDir, 'n8n');
	const { owner, encryptionKey } = await secretsOf(userFolder);
	await unpackPackage(packageTarball, userFolder, logDir);
	const environment = {
		...n8nEnvironment({
			userFolder,
			port,
			brokerPort: await freePort(),
			encryptionKey,
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

	const child = launch('n8n', node, ['--import', guard, n8nCommand, 'start'], {
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
	const signInUrl = (path) => `${url}/demo-login${path}#${owner.password}`;
	return { url, rest, owner, signInUrl, child, stop: child.stop };
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

/** The secrets of the n8n in this folder: made once, and only for the user who made them. */
async function secretsOf(userFolder) {
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	const [passwordFile, keyFile] = ['owner-password', 'encryption-key'].map((name) =>
		join(userFolder, name),
	);
	if (existsSync(keyFile) && !existsSync(passwordFile)) {
		throw new UserError(
			`An earlier version of the demo made ${relative(process.cwd(), userFolder)}, with a password that everyone knows. Delete this folder, with its workflows and executions, and start again.`,
		);
	}
	const owner = newOwner();
	return {
		owner: { ...owner, password: await kept(passwordFile, owner.password) },
		encryptionKey: await kept(keyFile, randomBytes(24).toString('hex')),
	};
}

/** What the file holds: this secret, unless an earlier start has made one. */
async function kept(file, secret) {
	if (!existsSync(file)) await writeFile(file, secret, { mode: 0o600 });
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
