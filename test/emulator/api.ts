import {
	DEMO_TEAM,
	DEMO_TOKEN,
	DEMO_USER,
	startEmulator,
	type Emulator,
	type EmulatorOptions,
} from '../../emulator';
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

export const member = { id: 2, name: 'Max Member', email: 'max@example.com' };
const manager = { id: 3, name: 'Mia Manager', email: 'mia@example.com' };
export const secondTeam = { id: 2, url: 'second', name: 'Second Team' };
/** It has the address of the first team's owner. */
const addressed = { id: 3, url: 'third', name: 'Third Team', email: DEMO_USER.email };

const tokens: EmulatorOptions['tokens'] = [
	{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM },
	{ token: 'api_expired', user: DEMO_USER, team: DEMO_TEAM, expired: true },
	{ token: 'api_member', user: member, team: DEMO_TEAM, role: 'MEMBER' },
	{ token: 'api_manager', user: manager, team: DEMO_TEAM, role: 'MANAGER' },
	{ token: 'api_second_team', user: DEMO_USER, team: secondTeam },
	{ token: 'api_stranger', user: member, team: secondTeam },
	{ token: 'api_address_of_owner', user: member, team: addressed },
];

/** The local Documenso of a file or a `describe`: started once, and reset before each test. */
export function useEmulator(options: EmulatorOptions = {}): Emulator {
	const service = {} as Emulator;
	beforeAll(async () => {
		const started = await startEmulator({ tokens, ...options });
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

/** Posts to the endpoints below a path, such as `/envelope/field`. */
export const posting =
	(service: Pick<Emulator, 'url'>, below: string) =>
	async (path: string, body: unknown, token?: string): Promise<Answer> =>
		await call(service, `POST ${below}/${path}`, body, token);

/** Gets the endpoints of the API. */
export const getting =
	(service: Pick<Emulator, 'url'>) =>
	async (path: string, token?: string): Promise<Answer> =>
		await call(service, `GET ${path}`, undefined, token);

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
export async function sendDocument(service: Emulator, payload: object = {}) {
	const id = await createDocument(service, payload);
	await call(service, 'POST /envelope/distribute', { envelopeId: id });
	const envelope = envelopeOf(service, id);
	return { id, envelope, tokens: envelope.recipients.map(({ token }) => token) };
}

export function envelopeOf(service: Emulator, id: unknown) {
	const envelope = service.store.envelopes.get(String(id));
	if (!envelope) throw new Error(`No envelope ${String(id)}`);
	return envelope;
}

export function statusAndMessage({ status, body }: Answer): [number, unknown] {
	return [status, body.message];
}

/** What a signing page sends, or a script in its place. */
export async function postToPage(
	service: Emulator,
	token: string | undefined,
	body: object | URLSearchParams,
): Promise<Response> {
	const isForm = body instanceof URLSearchParams;
	return await fetch(`${service.url}/sign/${token}`, {
		method: 'POST',
		headers: isForm ? {} : { 'content-type': 'application/json' },
		body: isForm ? body : JSON.stringify(body),
	});
}

/** Opens a signing page: the status, and where it leads. */
export async function openPage(service: Emulator, token: string | undefined) {
	const { status, headers } = await fetch(`${service.url}/sign/${token}`, { redirect: 'manual' });
	return [status, headers.get('location')];
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
