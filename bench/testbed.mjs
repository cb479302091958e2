import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { startEmulator } from '../n8n-host/local-documenso.mjs';
import { startN8n } from '../n8n-host/host.mjs';
import { packPackage } from '../n8n-host/package.mjs';
import { root } from '../n8n-host/paths.mjs';
import { freePort } from '../n8n-host/ports.mjs';
import { readSeed } from '../n8n-host/seed.mjs';
import { installAndBuild } from '../n8n-host/install-n8n.mjs';
import { withRetries } from './retry.mjs';
import { buildFixedNodes } from './subjects/fixedConcurrency.mjs';

const run = promisify(execFile);
const notStarted = [404, 503];
/** Makes n8n collect garbage on a signal. */
const garbageCollector = pathToFileURL(join(root, 'bench', 'measure', 'collectGarbage.mjs')).href;
const historyFiller = join(root, 'bench', 'measure', 'fillHistory.mjs');
const bareNodes = join(root, 'bench', 'bareNodes');

/** Everything is measured on it: one n8n, and the local Documenso that all subjects talk to. */
export class Testbed {
	/** The local Documenso of the current case. */
	emulator;
	#n8n;
	/** IDs of published workflows, by their nodes. */
	#workflows = new Map();

	/** `settings` are those of n8n that differ from the demo's. */
	static async open(stateDir, settings) {
		const logDir = join(stateDir, 'logs');
		const node = await installAndBuild(logDir);
		const files = join(await realpath(stateDir), 'files');
		await mkdir(files);
		const customNodes = join(stateDir, 'customNodes');
		await cp(bareNodes, customNodes, { recursive: true });
		await buildFixedNodes(customNodes);
		const testbed = new Testbed();
		return Object.assign(testbed, {
			stateDir,
			logDir,
			settings,
			/** The Node that n8n runs on. */
			node,
			/** A folder that n8n's nodes may read and write. */
			files,
			/** n8n calls its nodes `CUSTOM.…`. There can be only one: a second one replaces the first. */
			customNodes,
			packageTarball: await packPackage(join(stateDir, 'package'), logDir),
			...(await readSeed()),
			webhookSecret: randomBytes(16).toString('hex'),
			ports: { n8n: await freePort(), emulator: await freePort() },
		});
	}

	/** Replaces the local Documenso with one that has these settings, at the same address. */
	async serve(settings) {
		await this.emulator?.stop();
		const { emulator: port } = this.ports;
		this.emulator = await startEmulator({ port, logDir: this.logDir, settings });
	}

	get serviceUrl() {
		return `http://127.0.0.1:${this.ports.emulator}`;
	}

	get apiUrl() {
		return `${this.serviceUrl}/api/v2`;
	}

	/** n8n, which starts with the first call. */
	async n8n() {
		this.#n8n ??= await this.#start();
		return this.#n8n;
	}

	/** Gives a trigger that has had its first event a long history. */
	async fillHistory(workflowId) {
		const database = join(this.stateDir, 'n8n', '.n8n', 'database.sqlite');
		await run(this.node, [historyFiller, database, workflowId]);
	}

	/** Posts JSON to Documenso's API. */
	async post(path, body, moreHeaders = {}) {
		const headers = { authorization: this.apiToken, 'content-type': 'application/json' };
		const response = await fetch(this.apiUrl + path, {
			method: 'POST',
			headers: { ...headers, ...moreHeaders },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
	}

	/** The same n8n in a new process. */
	async restartN8n() {
		await this.#n8n?.stop();
		this.#n8n = undefined;
		return this.n8n();
	}

	async #start() {
		const { node, stateDir, packageTarball, files, customNodes, settings } = this;
		const n8n = await startN8n({
			node,
			stateDir,
			packageTarball,
			port: this.ports.n8n,
			fileFolders: [files],
			env: {
				NODE_OPTIONS: `--import ${garbageCollector}`,
				N8N_CUSTOM_EXTENSIONS: customNodes,
				...settings,
			},
		});
		this.credentials ??= await this.#createCredentials(n8n.rest);
		return n8n;
	}

	async #createCredentials(rest) {
		const { serviceUrl: baseUrl, apiToken, webhookSecret } = this;
		const header = { name: 'X-Documenso-Secret', value: webhookSecret };
		const data = {
			documensoApi: { baseUrl, apiToken, webhookSecret },
			httpHeaderAuth: header,
		};
		const created = {};
		for (const type of Object.keys(data)) {
			const credential = { name: type, type, data: data[type] };
			const { id } = await rest.request('POST', '/credentials', credential);
			created[type] = { [type]: { id, name: type } };
		}
		return created;
	}

	/** Publishes a chain of nodes if it is not published yet; resolves with the workflow's ID. */
	async publish(nodes) {
		const key = JSON.stringify(nodes);
		if (this.#workflows.has(key)) return this.#workflows.get(key);
		const { rest } = await this.n8n();
		const placed = nodes.map((node, index) => ({
			id: node.name,
			position: [index * 220, 0],
			...node,
		}));
		const { id } = await rest.request('POST', '/workflows', {
			name: nodes.map(({ name }) => name).join(', '),
			nodes: placed,
			connections: chainConnections(nodes),
			settings: { executionOrder: 'v1' },
		});
		await rest.publish(id);
		this.#workflows.set(key, id);
		return id;
	}

	/**
	 * Starts a published workflow through its webhook, once for each of the bodies and so many milliseconds apart.
	 * Resolves with the executions that n8n recorded.
	 */
	async execute(workflowId, path, bodies, apartMs) {
		const { rest, url } = await this.n8n();
		const executions = async (limit) =>
			(await withRetries(() => rest.executions({ workflowId }, limit))).results;
		const [before] = await executions(1);
		const starts = bodies.map(async (body, index) => {
			await sleep(index * apartMs);
			await withRetries(() => start(`${url}/webhook/${path}`, body));
		});
		await Promise.all(starts);
		const latest = await withRetries(async () => {
			const found = await executions(bodies.length);
			const ended = found.filter((one) => hasEnded(one) && !wasThere(one, before));
			if (ended.length === bodies.length) return ended;
			throw new Error(`n8n has not recorded all runs of workflow ${workflowId}.`);
		});
		return Promise.all(latest.map(({ id }) => withRetries(() => rest.execution(id))));
	}
}

function chainConnections(nodes) {
	const links = nodes
		.slice(1)
		.map(({ name }, index) => [
			nodes[index].name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	return Object.fromEntries(links);
}

/** Resolves when the workflow has ended, whether it succeeded or failed. */
async function start(url, body) {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	await response.arrayBuffer();
	// For a moment after publishing and after a restart.
	if (notStarted.includes(response.status)) throw new Error(`n8n does not listen at ${url}.`);
}

function wasThere({ id }, last) {
	return last !== undefined && Number(id) <= Number(last.id);
}

function hasEnded({ status }) {
	return !['new', 'running', 'waiting'].includes(status);
}
