import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { startEmulator } from '../../n8n-host/local-documenso.mjs';
import { freePort } from '../../n8n-host/ports.mjs';
import { readSeed } from '../../n8n-host/seed.mjs';
import { sum } from './sum.mjs';
import { startSink } from './sink.mjs';
import { workflowsFor } from './workflows.mjs';

/** As far away as a service usually is, and with its usual limit of requests a minute. */
const service = { 'latency-ms': 50, 'rate-limit': 1000, 'max-file-bytes': 500_000_000 };
const patienceMs = 600_000;
const notEnded = ['new', 'running'];
export const COMPLETED = 'DOCUMENT_COMPLETED';

/** Everything that a scenario plays on: n8n's processes, the local Documenso, and workflows that are published. */
export class Stage {
	/** IDs of workflows, by name. */
	workflows = {};

	static async set(cluster) {
		const { logDir } = cluster;
		const stage = new Stage();
		const { apiToken, templates } = await readSeed();
		const emulator = await startEmulator({
			port: await freePort(),
			logDir,
			deliveries: 'concurrent',
			settings: service,
		});
		const sink = await startSink();
		const webhookSecret = randomBytes(16).toString('hex');
		Object.assign(stage, { cluster, emulator, sink, apiToken, webhookSecret });
		stage.template = templates.mutualNda;
		const [name, type] = ['Local Documenso', 'documensoApi'];
		const { id } = await cluster.rest.request('POST', '/credentials', {
			name,
			type,
			data: { baseUrl: emulator.url, apiToken, webhookSecret },
		});
		stage.credential = { id, name, type };
		stage.nodes = workflowsFor({
			credential: { id, name },
			template: stage.template,
			sinkUrl: sink.url,
		});
		return stage;
	}

	/** Publishes these workflows and no others, and lets Documenso forget everything. */
	async begin(...names) {
		const { cluster, emulator, sink, workflows } = this;
		for (const id of Object.values(workflows)) await cluster.unpublish(id);
		// After a reset it may use the same IDs again.
		await emulator.reset();
		sink.forget();
		this.workflows = {};
		for (const name of names) await this.add(name);
	}

	/** Publishes one of the workflows, and resolves with its ID. */
	async add(name) {
		const { nodes, connections } = inLine(this.nodes[name]);
		this.workflows[name] = await this.cluster.publish({ name, nodes, connections });
		const { webhookId: path } =
			nodes.find(({ type }) => type === 'n8n-nodes-documenso.documensoTrigger') ?? {};
		if (path) await this.#listening(path);
		return this.workflows[name];
	}

	/** Delivers these events to a trigger: through the load balancer, unless told where. */
	async deliverTo(trigger, events, url = this.cluster.url) {
		const { emulator, webhookSecret: secret } = this;
		await emulator.registerWebhook({ url: `${url}/webhook/${trigger}/webhook`, events, secret });
	}

	/** Without the secret a trigger answers 401, and 404 until n8n knows of it. */
	async #listening(path) {
		for (const { url } of this.cluster.webhooks) {
			const method = 'POST';
			await until(async () => {
				return (await fetch(`${url}/webhook/${path}/webhook`, { method })).status === 401;
			});
		}
	}

	/** Starts an execution for each part of the rows. */
	async start(workflow, rows, parts = 1) {
		const size = Math.ceil(rows.length / parts);
		for (let first = 0; first < rows.length; first += size) {
			const body = JSON.stringify({ rows: rows.slice(first, first + size) });
			await until(async () => {
				const headers = { 'content-type': 'application/json' };
				const url = `${this.cluster.url}/webhook/${workflow}`;
				return (await fetch(url, { method: 'POST', headers, body })).ok;
			});
		}
	}

	/** Resolves when as many executions of the workflow have ended and none is under way. */
	async ended(workflow, count) {
		return await until(async () => {
			const byStatus = await this.cluster.executions(this.workflows[workflow]);
			const left = sum(notEnded.map((status) => byStatus[status] ?? 0));
			return left === 0 && sum(Object.values(byStatus)) >= count;
		});
	}

	/** The executions of the workflow that n8n shows as failed, with what it keeps of each. */
	async failed(workflow) {
		const lines = await this.cluster.postgresql.query(
			`SELECT id, data FROM execution_entity JOIN execution_data ON "executionId" = id
			WHERE "workflowId" = '${this.workflows[workflow]}' AND status IN ('error', 'crashed')`,
		);
		return lines.map((line) => {
			const end = line.indexOf('|');
			return { id: line.slice(0, end), data: line.slice(end + 1) };
		});
	}

	/** The documents that were made for rows. */
	async documents() {
		const { documents } = await this.emulator.state();
		return documents;
	}

	/** All attempts to deliver an event, once none is under way. */
	async deliveries() {
		return await until(async () => {
			const { deliveries, delivering } = await this.emulator.state();
			if (delivering > 0) return undefined;
			return deliveries.map(({ status, body }) => ({
				id: body.payload.envelopeId,
				isAccepted: status === 200,
			}));
		});
	}

	/** Resolves when the trigger that was published has looked for missed events once more. The first look takes stock. */
	async looked() {
		const looks = async () => {
			const { calls } = await this.emulator.counts();
			return sum(Object.values(calls['GET /folder'] ?? {}));
		};
		const before = await looks();
		// When the second one begins, the first one has ended.
		await until(async () => (await looks()) >= before + 2);
	}
}

/** What `look` resolves with once it is true. It may throw meanwhile: a program is being started again. */
export async function until(look, forMs = patienceMs) {
	const deadline = Date.now() + forMs;
	for (;;) {
		const [found, error] = await look().then(
			(value) => [value],
			(reason) => [undefined, reason],
		);
		if (found) return found;
		if (Date.now() > deadline) throw error ?? new Error(`Not so after ${forMs / 1000} s: ${look}`);
		await sleep(200);
	}
}

/** The nodes one behind the other; what follows a node gets its errors, too. */
function inLine(nodes) {
	const links = nodes.slice(1).map(({ name }, index) => {
		const outputs = nodes[index].onError === 'continueErrorOutput' ? 2 : 1;
		const next = [{ node: name, type: 'main', index: 0 }];
		return [nodes[index].name, { main: Array.from({ length: outputs }, () => next) }];
	});
	const placed = nodes.map((node, index) => ({
		id: node.name,
		position: [index * 220, 0],
		...node,
	}));
	return { nodes: placed, connections: Object.fromEntries(links) };
}

/** Rows for the template of the NDA. */
export function rowsOf(count) {
	return Array.from({ length: count }, (_, index) => ({
		// None is the beginning of another.
		'External ID': `row-${`${index + 1}`.padStart(5, '0')}`,
		'Signer email': `signer${index + 1}@example.com`,
		'Signer name': `Signer ${index + 1}`,
		Company: `Company ${index + 1}`,
	}));
}
