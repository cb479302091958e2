import { DEMO_TOKEN } from '../../emulator';
import type { Call, Fault } from '../../emulator';
import type { EnvelopeStatus, Recipient } from '../../emulator/entities';
import { host } from './host';

interface Field {
	id: number;
	type: string;
	customText: string;
	/** A prefilled value is under a name that depends on the type. */
	fieldMeta: { label?: string; text?: string; value?: string; defaultValue?: string } | null;
}

export interface Envelope {
	id: string;
	title: string;
	status: EnvelopeStatus;
	recipients: Recipient[];
	fields: Field[];
}

/** Who a document went to and what its labelled fields say. */
export function contentsOf({ status, recipients, fields }: Envelope) {
	const values = fields.map(({ fieldMeta, customText }) => [
		fieldMeta?.label,
		fieldMeta?.text ?? fieldMeta?.value ?? fieldMeta?.defaultValue ?? customText,
	]);
	return {
		status,
		people: recipients.map(({ name, email }) => `${name} <${email}>`),
		values: Object.fromEntries(values.filter(([label]) => label)) as Record<string, string>,
	};
}

/** The local Documenso as at its start before each test, seen and changed from outside. */
export function useDocumenso() {
	beforeEach(async () => {
		await request('POST', '/__emulator/reset');
	});

	async function state() {
		return (await request('GET', '/__emulator/state')) as { documents: Array<{ id: string }> };
	}

	async function api(line: `${'GET' | 'POST'} /${string}`, body?: unknown) {
		const [method = '', path = ''] = line.split(' ');
		return await request(method, `/api/v2${path}`, body);
	}

	async function envelope(id: string) {
		return (await api(`GET /envelope/${id}`)) as Envelope;
	}

	return {
		api,
		envelope,
		async documents(): Promise<Envelope[]> {
			const { documents } = await state();
			return await Promise.all(documents.map(async ({ id }) => await envelope(id)));
		},
		/** The calls that arrived, as `POST /envelope/use`; also those of this object's own. */
		async calls(): Promise<string[]> {
			const calls = (await request('GET', '/__emulator/calls')) as Call[];
			return calls.map(({ method, path }) => `${method} ${path}`);
		},
		async fail(fault: Fault) {
			await request('POST', '/__emulator/faults', fault);
		},
	};
}

async function request(method: string, path: string, body?: unknown): Promise<unknown> {
	const response = await fetch(`${host.documensoUrl}${path}`, {
		method,
		headers: { authorization: DEMO_TOKEN, ...(body ? { 'content-type': 'application/json' } : {}) },
		body: body ? JSON.stringify(body) : null,
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
	return JSON.parse(text);
}
