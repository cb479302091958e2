import { DEMO_TOKEN, startEmulator, type Emulator, type EmulatorOptions } from '../../emulator';
import { pdf } from '../support/pdf';

/** What the API answered; `body` is its JSON, if it was JSON. */
export interface Answer {
	status: number;
	headers: Headers;
	bytes: Buffer;
	body: Record<string, unknown>;
}

export interface Upload {
	filename: string;
	content: Uint8Array;
	type?: string;
	name?: string;
}

const place = { page: 1, positionX: 10, positionY: 20, width: 30, height: 5 };

export const signatureField = { type: 'SIGNATURE', ...place };

export const signer = {
	email: 'signer@example.com',
	name: 'Sally Signer',
	role: 'SIGNER',
	fields: [signatureField],
};

/** The local Documenso of a file or a `describe`: started once, and reset before each test. */
export function useEmulator(options: EmulatorOptions = {}): Emulator {
	const service = {} as Emulator;
	beforeAll(async () => {
		const started = await startEmulator(options);
		Object.defineProperties(service, Object.getOwnPropertyDescriptors(started));
	});
	beforeEach(async () => await service.reset());
	afterAll(async () => await service.close());
	return service;
}

export async function call(
	service: Pick<Emulator, 'url'>,
	line: string,
	body?: unknown,
	token: string | null = DEMO_TOKEN,
): Promise<Answer> {
	const [method = '', path = ''] = line.split(' ');
	const headers = new Headers(token === null ? {} : { authorization: token });
	if (body !== undefined && !(body instanceof FormData)) {
		headers.set('content-type', 'application/json');
	}
	const isRaw = body === undefined || typeof body === 'string' || body instanceof FormData;
	const response = await fetch(`${service.url}/api/v2${path}`, {
		method,
		headers,
		body: isRaw ? body : JSON.stringify(body),
	});
	return await read(response);
}

export function form(payload: unknown, uploads: readonly Upload[]): FormData {
	const data = new FormData();
	data.append('payload', typeof payload === 'string' ? payload : JSON.stringify(payload));
	for (const { filename, content, type = 'application/pdf', name = 'files' } of uploads) {
		data.append(name, new Blob([Buffer.from(content)], { type }), filename);
	}
	return data;
}

/** Asks for a document with one file. */
export async function create(
	service: Emulator,
	payload: object,
	content?: Uint8Array,
): Promise<Answer> {
	const whole = { type: 'DOCUMENT', title: 'Contract', ...payload };
	const file = { filename: 'contract.pdf', content: content ?? (await pdf()) };
	return await call(service, 'POST /envelope/create', form(whole, [file]));
}

/** Creates a document for one signer, and returns its ID. */
export async function createDocument(service: Emulator, payload: object = {}): Promise<string> {
	const { body } = await create(service, { recipients: [signer], ...payload });
	return String(body.id);
}

/** Creates and sends a document, and returns the signing tokens in the order of its recipients. */
export async function sendDocument(
	service: Emulator,
	payload: object = {},
): Promise<{ id: string; tokens: string[] }> {
	const id = await createDocument(service, payload);
	await call(service, 'POST /envelope/distribute', { envelopeId: id });
	const recipients = service.store.envelopes.get(id)?.recipients ?? [];
	return { id, tokens: recipients.map(({ token }) => token) };
}

export function envelopeOf(service: Emulator, id: unknown) {
	const envelope = service.store.envelopes.get(String(id));
	if (!envelope) throw new Error(`No envelope ${String(id)}`);
	return envelope;
}

export function statusAndMessage({ status, body }: Answer): [number, unknown] {
	return [status, body.message];
}

/** Sends the form of a page. */
export async function submit(
	service: Emulator,
	path: string,
	fields: Array<[string, string]> | Record<string, string>,
) {
	const body = new URLSearchParams(fields);
	const answer = await fetch(service.url + path, { method: 'POST', body, redirect: 'manual' });
	const { status, headers } = answer;
	return { status, location: headers.get('location'), page: await answer.text() };
}

export async function pageAt(service: Emulator, path: string): Promise<string> {
	return await (await fetch(service.url + path)).text();
}

export async function statusOf(service: Emulator, envelopeId: string): Promise<unknown> {
	return (await call(service, `GET /envelope/${envelopeId}`)).body.status;
}

export async function read(response: Response): Promise<Answer> {
	const bytes = Buffer.from(await response.arrayBuffer());
	const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
	const body = (isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : {}) as Answer['body'];
	return { status: response.status, headers: response.headers, bytes, body };
}
