import { DEMO_TOKEN } from '../../emulator';
import type { Call, Delivery, Fault, Webhook, WebhookEvent } from '../../emulator';
import type { EnvelopeStatus, Recipient } from '../../emulator/entities';
import { MUTUAL_NDA } from '../../emulator/seed/demo';
import { eventually } from './eventually';
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
	envelopeItems: Array<{ id: string }>;
}

interface Created {
	id: string;
	status: EnvelopeStatus;
	externalId: string | null;
	recipients: Recipient[];
}

interface State {
	documents: Created[];
	webhooks: Webhook[];
	deliveries: Delivery[];
}

export interface Signer {
	name: string;
	email: string;
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
		return (await request('GET', '/__emulator/state')) as State;
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
		/** All documents in brief, which is quick for many. */
		async created(): Promise<Created[]> {
			return (await state()).documents;
		},
		/** The external IDs once no marker is left: the trigger removes them when n8n has stored that the execution goes on. */
		async externalIds(): Promise<Array<string | null>> {
			return await eventually(async () => {
				const ids = (await state()).documents.map(({ externalId }) => externalId);
				return ids.some((id) => id?.includes('n8n-wait:')) ? undefined : ids.sort();
			});
		},
		/** The calls that arrived, as `POST /envelope/use`, or all that are like this; also those of this object's own. */
		async calls(line?: string): Promise<string[]> {
			const calls = (await request('GET', '/__emulator/calls')) as Call[];
			const lines = calls.map(({ method, path }) => `${method} ${path}`);
			return line === undefined ? lines : lines.filter((one) => one === line);
		},
		/** Until such calls have arrived so many times. */
		async called(line: string, times: number, patienceMs?: number) {
			await eventually(
				async () => (await this.calls(line)).length >= times || undefined,
				patienceMs,
			);
		},
		/** How many calls that arrived it has not answered yet. */
		async underWay(): Promise<number> {
			const calls = (await request('GET', '/__emulator/calls')) as Call[];
			return calls.filter(({ status }) => status === undefined).length;
		},
		async fail(fault: Fault) {
			await request('POST', '/__emulator/faults', fault);
		},
		/** Makes a document from the template of the NDA, and sends it. */
		async send(signer: Signer, about: { externalId?: string; title?: string } = {}) {
			const { externalId, title = 'Mutual NDA' } = about;
			const payload = {
				envelopeId: MUTUAL_NDA.id,
				externalId,
				recipients: [{ id: MUTUAL_NDA.signerId, ...signer }],
				override: { title },
				distributeDocument: true,
			};
			const { id } = (await api('POST /envelope/use', { payload })) as { id: string };
			return await envelope(id);
		},
		/** The same as a draft. */
		async draft(signer: Signer, externalId: string) {
			const recipients = [{ id: MUTUAL_NDA.signerId, ...signer }];
			const payload = { envelopeId: MUTUAL_NDA.id, externalId, recipients };
			const { id } = (await api('POST /envelope/use', { payload })) as { id: string };
			return await envelope(id);
		},
		/** So many drafts, without a call for each. */
		async drafts(count: number) {
			await request('POST', '/__emulator/documents', { templateId: MUTUAL_NDA.id, count });
		},
		/** Signs for everybody, and waits until the signed file is there. */
		async sign({ id, recipients }: Envelope, fields?: Record<string, string>): Promise<Envelope> {
			for (const { token } of recipients) {
				await request('POST', `/sign/${token}`, { action: 'sign', fields });
			}
			return await eventually(async () => {
				const document = await envelope(id);
				return document.status === 'COMPLETED' ? document : undefined;
			});
		},
		/** Signs all documents for everybody, which Documenso seals a moment later. */
		async signAll() {
			const { documents } = await state();
			const recipients = documents.flatMap((document) => document.recipients);
			for (const { signingStatus, token } of recipients) {
				if (signingStatus === 'SIGNED') continue;
				await request('POST', `/sign/${token}`, { action: 'sign' });
			}
		},
		/** The first recipient rejects the document. */
		async reject({ recipients: [first] }: Envelope) {
			await request('POST', `/sign/${first?.token}`, { action: 'reject', reason: 'No' });
		},
		async expire(recipientId: number) {
			await request('POST', '/__emulator/expire', { recipientId });
		},
		async signedFile({ envelopeItems: [item] }: Envelope): Promise<Buffer> {
			const url = `${host.documensoUrl}/__emulator/files/${item?.id}?version=signed`;
			return Buffer.from(await (await fetch(url)).arrayBuffer());
		},
		async register(webhook: Webhook) {
			await request('POST', '/__emulator/webhooks', webhook);
		},
		/** Those registered by hand and the subscriptions made with the API token, once there are as many. */
		async webhooks(count: number): Promise<Webhook[]> {
			return await eventually(async () => {
				const { webhooks } = await state();
				return webhooks.length === count ? webhooks : undefined;
			});
		},
		/** Delivers an event about an envelope as it is. */
		async deliver(event: WebhookEvent, envelopeId: string, times = 1) {
			await request('POST', '/__emulator/deliver', { event, envelopeId, times });
		},
		/** What the Test button of the dashboard does. */
		async test(event: WebhookEvent) {
			await request('POST', '/__emulator/webhooks/test', { event });
		},
		/** Delivers again: the same event, with another date. */
		async resend(delivery: number) {
			await request('POST', '/__emulator/webhooks/resend', { delivery });
		},
		/** The attempts so far to deliver anything, or one event, once there are as many. */
		async attempts(count: number, event?: WebhookEvent): Promise<Delivery[]> {
			return await eventually(async () => {
				const { deliveries } = await state();
				const found = deliveries.filter((one) => event === undefined || one.event === event);
				return found.length >= count ? found : undefined;
			}, 60_000);
		},
	};
}

async function request(method: string, path: string, body?: unknown): Promise<unknown> {
	const response = await fetch(`${host.documensoUrl}${path}`, {
		method,
		headers: {
			authorization: DEMO_TOKEN,
			'x-emulator-control': '1',
			...(body ? { 'content-type': 'application/json' } : {}),
		},
		body: body ? JSON.stringify(body) : null,
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
	return JSON.parse(text);
}
