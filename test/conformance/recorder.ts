import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_TOKEN, type Emulator } from '../../emulator';
import { form, read, signer } from '../emulator/api';
import { startReceiver } from '../../conformance/recordings/receiver';
import { pdf } from '../support/pdf';

const PAYLOAD = {
	type: 'DOCUMENT',
	title: 'Made-up contract',
	recipients: [signer, { ...signer, email: 'second@example.com', name: 'Second' }],
};

export interface MadeUp {
	folder: string;
	/** Rewrites what was recorded under a name, as if the service had answered something else. */
	change(file: string, replace: (text: string) => string): Promise<void>;
	/** The file of the first webhook of an event. */
	webhook(event: string): string;
}

/** A made-up recording: a document's way from a file to the last signature, done on a local Documenso. */
export async function makeRecordings(service: Emulator): Promise<MadeUp> {
	const folder = await mkdtemp(join(tmpdir(), 'conformance-test-'));
	const recorder = new Recorder(service, folder);
	await recorder.start();
	// Other ids than those of the local Documenso that will replay it.
	await recorder.createUnrecorded();
	const id = String((await recorder.create('001-create')).id);
	await recorder.call('002-get-draft', 'GET', `/envelope/${id}`);
	await recorder.call('003-distribute', 'POST', '/envelope/distribute', { envelopeId: id });
	for (const { token } of service.store.envelopes.get(id)?.recipients ?? []) {
		await recorder.outside(async () => await service.sign(token));
	}
	await recorder.call('004-get-completed', 'GET', `/envelope/${id}`);
	await recorder.call('005-cancel-completed', 'POST', '/envelope/cancel', { envelopeId: id });
	await recorder.call('006-no-such-route', 'GET', '/nope');
	return await recorder.finish();
}

class Recorder {
	/** One second between two captures: the local Documenso answers faster than a millisecond. */
	private now = Date.parse('2026-01-01T10:00:00.000Z');
	private readonly texts = new Map<string, string>();
	private receiver: Awaited<ReturnType<typeof startReceiver>> | undefined;

	constructor(
		private readonly service: Emulator,
		private readonly folder: string,
	) {}

	async start(): Promise<void> {
		this.receiver = await startReceiver();
		await mkdir(join(this.folder, 'captures'));
		await mkdir(join(this.folder, 'webhooks'));
		this.service.webhooks.add({ url: `${this.receiver.origin}/hook`, secret: 'made up' });
	}

	async createUnrecorded(): Promise<void> {
		const uploads = [{ filename: 'other.pdf', content: await pdf() }];
		const body = form(PAYLOAD, uploads);
		const headers = { authorization: DEMO_TOKEN };
		await fetch(`${this.service.url}/api/v2/envelope/create`, { method: 'POST', headers, body });
		await this.service.settled();
		this.receiver?.take();
	}

	async create(name: string): Promise<Record<string, unknown>> {
		const content = await pdf();
		const body = form(PAYLOAD, [{ filename: 'contract.pdf', content }]);
		const recorded = [
			{ name: 'payload', data: PAYLOAD },
			{
				name: 'files',
				filename: 'contract.pdf',
				type: 'application/pdf',
				data: `<${content.length} bytes>`,
			},
		];
		const type = 'multipart/form-data; boundary=made-up';
		return await this.send(name, 'POST', '/envelope/create', { body, recorded, type });
	}

	async call(name: string, method: string, path: string, body?: object): Promise<void> {
		const json = body && { body: JSON.stringify(body), recorded: body, type: 'application/json' };
		await this.send(name, method, path, json);
	}

	async outside(act: () => Promise<void>): Promise<void> {
		this.now += 500;
		await act();
		await this.keepDeliveries();
	}

	async finish(): Promise<MadeUp> {
		await this.receiver?.close();
		const change: MadeUp['change'] = async (file, replace) => {
			const changed = replace(this.texts.get(file) ?? '');
			await writeFile(join(this.folder, file), changed);
		};
		for (const [file, text] of this.texts) await writeFile(join(this.folder, file), text);
		const webhook = (event: string): string =>
			[...this.texts.keys()].find((file) => file.includes(event)) ?? '';
		return { folder: this.folder, change, webhook };
	}

	private async send(
		name: string,
		method: string,
		path: string,
		given?: { body: string | FormData; recorded: unknown; type: string },
	): Promise<Record<string, unknown>> {
		this.now += 1000;
		const at = new Date(this.now).toISOString();
		const { body, recorded, type } = given ?? {};
		const headers = { authorization: DEMO_TOKEN, ...(type && { 'content-type': type }) };
		const sent = body instanceof FormData ? { authorization: DEMO_TOKEN } : headers;
		const url = `${this.service.url}/api/v2${path}`;
		const answer = await read(await fetch(url, { method, headers: sent, body }));
		const response = {
			status: answer.status,
			rawHeaders: [...answer.headers],
			body: answer.body,
		};
		const request = { method, path: `/api/v2${path}`, headers, body: recorded };
		this.keep(`captures/${name}.json`, { at, ms: 10, request, response });
		this.now += 100;
		await this.keepDeliveries();
		return answer.body;
	}

	private async keepDeliveries(): Promise<void> {
		await this.service.settled();
		for (const { url, headers, body } of this.receiver?.take() ?? []) {
			this.now += 20;
			const number = String(this.texts.size).padStart(3, '0');
			const at = new Date(this.now).toISOString();
			this.keep(`webhooks/${number}-${body.event}.json`, { at, url, headers, body });
		}
	}

	private keep(file: string, content: object): void {
		this.texts.set(file, JSON.stringify(content));
	}
}
