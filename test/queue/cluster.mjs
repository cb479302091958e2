import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { processorTimeOfTree } from '../../bench/measure/processor.mjs';
import { withRetries } from '../../bench/retry.mjs';
import { n8nEnvironment } from '../../n8n-host/environment.mjs';
import { assertLoaded, newOwner } from '../../n8n-host/host.mjs';
import { N8nRest } from '../../n8n-host/rest.mjs';
import { unpackPackage } from '../../n8n-host/package.mjs';
import { root } from '../../n8n-host/paths.mjs';
import { freePort } from '../../n8n-host/ports.mjs';
import { startHaproxy } from './programs/haproxy.mjs';
import { startPostgresql } from './programs/postgresql.mjs';
import { startRedis } from './programs/redis.mjs';
import { Restartable } from './programs/restartable.mjs';
import { sum } from './sum.mjs';

const host = '127.0.0.1';
/** How many executions a worker runs at the same time. */
const concurrency = 10;
/** More often than users need it, so that tests wait less. */
const recoveryMinutes = 1;
const scaling = join(root, 'docs', 'scaling');

/**
 * n8n in queue mode: a main process, two webhook processes, workers, and what they need. No process shares a folder
 * with another.
 */
export class Cluster {
	/** Those that run; a killed one is replaced by another. */
	workers = [];
	#workersSoFar = 0;

	/** `settings` are more environment variables of all n8n's processes. */
	static async start({ node, n8nCommand, stateDir, logDir, packageTarball, settings = {} }) {
		const cluster = new Cluster();
		Object.assign(cluster, { node, n8nCommand, stateDir, logDir, packageTarball });
		// n8n writes to no folder that a link leads to.
		cluster.files = join(await realpath(stateDir), 'files');
		await mkdir(cluster.files);
		cluster.postgresql = await startPostgresql(logDir);
		cluster.redis = await startRedis(stateDir, logDir);
		const ports = await freePorts('main', 'webhook1', 'webhook2');
		const addresses = {
			MAIN: `${host}:${ports.main}`,
			WEBHOOK_1: `${host}:${ports.webhook1}`,
			WEBHOOK_2: `${host}:${ports.webhook2}`,
		};
		const config = join(scaling, 'haproxy.cfg');
		cluster.haproxy = await startHaproxy('HAProxy', logDir, { config, addresses });
		cluster.url = cluster.haproxy.url;
		cluster.environment = {
			...(await composeSettings()),
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			N8N_EDITOR_BASE_URL: cluster.url,
			N8N_WEBHOOK_URL: `${cluster.url}/`,
			N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: `${recoveryMinutes}`,
			...cluster.postgresql.environment,
			...cluster.redis.environment,
			...settings,
		};
		// Older versions of n8n say that they are ready before the editor's API is there.
		const main = { ready: ['/healthz/readiness', '/rest/settings'] };
		cluster.main = await cluster.#process('main', ['start'], ports.main, main);
		await cluster.main.start();
		cluster.webhooks = [
			await cluster.#process('webhook 1', ['webhook'], ports.webhook1),
			await cluster.#process('webhook 2', ['webhook'], ports.webhook2),
		];
		await Promise.all(cluster.webhooks.map((one) => one.start()));
		cluster.rest = new N8nRest(`http://${addresses.MAIN}`);
		const owner = newOwner();
		await withRetries(() => cluster.rest.logIn(owner));
		await assertLoaded(cluster.rest);
		await cluster.addWorker();
		await cluster.addWorker();
		return cluster;
	}

	/** Another worker, which gets a part of the executions from now on. */
	async addWorker() {
		const args = ['worker', `--concurrency=${concurrency}`];
		const port = await freePort();
		const name = `worker ${++this.#workersSoFar}`;
		const settings = {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: `${port}`,
		};
		const worker = await this.#process(name, args, port, { settings });
		await worker.start();
		this.workers.push(worker);
		return worker;
	}

	/** The worker ends its executions, and takes no more. */
	async dismiss(worker) {
		this.workers = this.workers.filter((one) => one !== worker);
		await worker.stop();
	}

	/** `ready`: what answers 200 once the process is ready. */
	async #process(name, args, port, { settings = {}, ready = ['/healthz/readiness'] } = {}) {
		const { logDir, n8nCommand, node: command } = this;
		const userFolder = join(this.stateDir, name.replaceAll(' ', '-'));
		await mkdir(userFolder);
		await unpackPackage(this.packageTarball, userFolder, logDir);
		const env = {
			...n8nEnvironment({
				userFolder,
				port,
				brokerPort: await freePort(),
				fileFolders: [this.files],
			}),
			...this.environment,
			...settings,
		};
		const url = `http://${host}:${port}`;
		return Object.assign(
			new Restartable(name, {
				command,
				args: [n8nCommand, ...args],
				cwd: userFolder,
				env,
				logDir,
				isReady: async () => {
					for (const path of ready) {
						const { status } = await fetch(`${url}${path}`);
						if (status !== 200) throw new Error(`It answers ${status}.`);
					}
				},
			}),
			{ url },
		);
	}

	/** Adds a workflow, publishes it, and resolves with its ID. */
	async publish({ name, nodes, connections }) {
		const settings = { executionOrder: 'v1' };
		// Older versions of n8n do not add `active` themselves.
		const workflow = { name, nodes, connections, settings, active: false };
		const { id } = await this.rest.request('POST', '/workflows', workflow);
		await this.rest.publish(id);
		return id;
	}

	async unpublish(workflowId) {
		await this.rest.request('POST', `/workflows/${workflowId}/deactivate`);
	}

	/** How many executions of a workflow n8n has recorded, by status. */
	async executions(workflowId) {
		const lines = await this.postgresql.query(
			`SELECT status, count(*) FROM execution_entity WHERE "workflowId" = '${workflowId}' GROUP BY 1`,
		);
		return Object.fromEntries(
			lines.map((line) => line.split('|')).map(([status, count]) => [status, Number(count)]),
		);
	}

	/**
	 * The processor time that all processes spend from now on: a function that tells it in milliseconds for each of so
	 * many things done.
	 */
	costs() {
		const { main, webhooks, workers, postgresql, redis } = this;
		const parts = {
			main: [main],
			webhooks,
			workers: [...workers],
			postgresql: [postgresql.program],
			redis: [redis.program],
		};
		const spent = () =>
			Object.entries(parts).map(([part, processes]) => [
				part,
				sum(processes.map(({ pid }) => processorTimeOfTree(pid))),
			]);
		const before = Object.fromEntries(spent());
		return (count) =>
			Object.fromEntries(spent().map(([part, ms]) => [part, (ms - before[part]) / count]));
	}

	/** The logs of n8n's processes that contain one of the secrets. */
	async logsWith(secrets) {
		const all = [...secrets, this.environment.N8N_ENCRYPTION_KEY];
		const names = (await readdir(this.logDir)).filter((name) =>
			/^(main|webhook|worker)/.test(name),
		);
		const texts = await Promise.all(names.map((name) => readFile(join(this.logDir, name), 'utf8')));
		return names.filter((_name, index) => all.some((secret) => texts[index].includes(secret)));
	}

	async remove() {
		await this.postgresql.remove();
	}
}

async function freePorts(...names) {
	const ports = {};
	for (const name of names) ports[name] = await freePort();
	return ports;
}

/** The settings of all n8n's processes that docs/scaling recommends. */
async function composeSettings() {
	// Imported here, because on a fresh clone nothing is installed when this file loads.
	const { parse } = await import('yaml');
	const compose = parse(await readFile(join(scaling, 'compose.yaml'), 'utf8'));
	const settings = Object.entries(compose['x-n8n'].environment);
	return Object.fromEntries(settings.map(([name, value]) => [name, `${value}`]));
}
