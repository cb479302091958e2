import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Envelope, Recipient } from '../../../emulator/entities';
import { DEMO_TOKEN, startEmulator, type Emulator } from '../../../emulator';
import { HttpClient } from '../../../nodes/shared/api/client';
import type { Bulk } from '../../../nodes/shared/api/service';
import { N8nProcess } from '../../../nodes/shared/n8n/process';
import { contextOf, type Saved } from './n8n';
import { scheduleOf, type LinePlan } from './schedule';
import { FOLDER } from './service';
import { operationFor, TEMPLATE, World } from './world';

/** Lines without faults, one after another: the simulated service has to do what the local Documenso does. */
const SCHEDULES = 60;

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator({ seed: 'demo', sealDelayMs: 0 });
});
afterAll(async () => {
	await emulator.close();
});

/** A process that reaches the local Documenso over HTTP, and does not wait. */
class RealProcess extends N8nProcess {
	/** Milliseconds that it has not waited. */
	private skipped = 0;

	override uptime() {
		return super.uptime() + this.skipped;
	}

	override async sleep(milliseconds: number) {
		this.skipped += milliseconds;
	}

	override async connect(...[context, bulk]: [Parameters<N8nProcess['connect']>[0], Bulk]) {
		const credential = { baseUrl: emulator.url, apiToken: DEMO_TOKEN };
		const client = await HttpClient.of(context, { bulk, credential, services: new Map() });
		client.wait = async (milliseconds) => await this.sleep(milliseconds);
		return client;
	}
}

/** n8n's helper, as far as these requests need it. */
async function send(_type: string, options: IHttpRequestOptions) {
	const url = new URL(options.url);
	for (const [name, value] of Object.entries(options.qs ?? {})) {
		if (value !== undefined) url.searchParams.set(name, value as string);
	}
	const headers = { ...(options.headers as Record<string, string>), Authorization: DEMO_TOKEN };
	const { method, body } = options;
	const answer = await fetch(url, { method, headers, body: body as string | undefined });
	const text = await answer.text();
	const { status: statusCode } = answer;
	return {
		statusCode,
		headers: Object.fromEntries(answer.headers),
		body: JSON.parse(text) as unknown,
	};
}

/** What can be compared: numbers and names of documents differ. */
function shown(outputs: IDataObject[], ids: string[]) {
	return outputs.map(({ id, status, alreadyExisted, sentNow, error }) => ({
		...{ document: ids.indexOf(id as string), status, alreadyExisted, sentNow },
		hasFailed: error !== undefined,
	}));
}

/** Creates the folder that the simulated service has from the beginning. */
async function createFolder(): Promise<string> {
	const { body } = await send('', {
		...{ method: 'POST', url: `${emulator.url}/api/v2/folder/create` },
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ name: 'Folder', type: 'DOCUMENT' }),
	});
	return (body as { id: string }).id;
}

/** The template has those besides the signer whom a line leaves out. */
function addOptional(count: number) {
	const template = emulator.store.envelopes.get(TEMPLATE.id) as Envelope;
	const [signer] = template.recipients as [Recipient];
	const others = TEMPLATE.optional.slice(0, count).map((id) => ({ ...signer, id }));
	template.recipients = [signer, ...others];
}

async function runOnEmulator(lines: LinePlan[], folder: string) {
	const process = new RealProcess();
	const outputs: IDataObject[][] = [];
	for (const [line, plan] of lines.entries()) {
		addOptional(plan.leftOut);
		const saved: Saved = { node: {}, flow: {} };
		const context = contextOf(
			{
				...{ id: String(line), mode: 'manual', begunAt: line + 1, source: 'manual', saved },
				continuesOnFail: true,
				items: plan.items.map(({ folderId, ...item }) => ({
					...item,
					...(folderId === undefined ? {} : { folderId: folder }),
				})),
				runIndex: 0,
			},
			{ helpers: { httpRequestWithAuthentication: send } as never },
		);
		const output = await operationFor(plan).execute(context, process);
		outputs.push(output.map(({ json }) => json));
	}
	return outputs;
}

/** The same lines for both: one after another, with nothing that goes wrong. */
function calm(seed: number) {
	const schedule = scheduleOf(seed);
	const lines = schedule.lines.map((line, place) => ({
		...line,
		...{ continuesOnFail: true, startsAt: place * 300_000, process: 0, retries: [], tries: 1 },
		...{ rounds: 1, rows: line.items.map(({ row }) => row), cancelledAfter: undefined },
		items: line.items.map((item) => ({
			...item,
			...(item.externalId === undefined ? {} : { externalId: `${seed} ${item.externalId}` }),
		})),
	}));
	const weather = { ...schedule.weather, changes: 0, reads: 0, lag: 0, ghosts: 0, incomplete: 0 };
	const nothing = { kills: [], documents: [], persons: [] };
	return { ...schedule, ...nothing, weather, lines };
}

test('without faults, the simulated service does what the local Documenso does', async () => {
	for (let seed = 1; seed <= SCHEDULES; seed++) {
		await emulator.reset();
		const schedule = calm(seed);
		const world = new World(schedule);
		await world.run();
		const folder = await createFolder();
		const real = await runOnEmulator(schedule.lines, folder);
		const simulated = world.lines.map(({ attempts }) =>
			(attempts[0]?.outputs ?? []).flatMap(({ output }) => output.map(({ json }) => json)),
		);
		const idsIn = (outputs: IDataObject[][]) => [
			...new Set(outputs.flat().flatMap(({ id }) => (typeof id === 'string' ? [id] : []))),
		];
		expect(simulated.map((one) => shown(one, idsIn(simulated)))).toEqual(
			real.map((one) => shown(one, idsIn(real))),
		);
		const own = (externalId: string | null) => (externalId ?? '').split(':').slice(-2).join(':');
		const documents = world.service.documents.map(
			({ email, externalId, folderId, leftOut, sentAt, cancelledFor }) => {
				const sent = cancelledFor === undefined ? 'PENDING' : 'CANCELLED';
				const status = sentAt === undefined ? 'DRAFT' : sent;
				const people = [email.toLowerCase(), 1 + leftOut.length];
				return [own(externalId), ...people, status, folderId === FOLDER].join(' ');
			},
		);
		const stored = emulator.store.documents.map(({ externalId, folderId, recipients, status }) => {
			const people = [recipients[0]?.email, recipients.length];
			return [own(externalId), ...people, status, folderId === folder].join(' ');
		});
		expect(documents.sort()).toEqual(stored.sort());
	}
});
