import { z } from 'zod';
import type { Emulator } from '../../emulator';
import type { IdMap } from './ids';
import type { Capture, RecordedDelivery } from './recordings';
import { substituteFile } from './substituteFiles';

const recipientSchema = z.object({
	email: z.string(),
	name: z.string(),
	role: z.string(),
	signingOrder: z.number().nullable(),
	readStatus: z.string(),
	signingStatus: z.string(),
	rejectionReason: z.string().nullable(),
	expirationNotifiedAt: z.string().nullable(),
});

const payloadSchema = z.object({
	envelopeId: z.string(),
	title: z.string(),
	externalId: z.string().nullable(),
	recipients: z.array(recipientSchema),
});

const filledSchema = z.object({
	id: z.string(),
	fields: z.array(z.object({ inserted: z.boolean(), customText: z.string() }).passthrough()),
});

type Payload = z.output<typeof payloadSchema>;
type Envelope = NonNullable<ReturnType<Emulator['store']['envelopes']['get']>>;
type Recipient = Envelope['recipients'][number];

export interface ReplayState {
	emulator: Emulator;
	ids: IdMap;
	/** The API token of the owner. */
	token: string;
	/** Whether a recorded call uses the envelope; all others belong to another client. */
	isRecorded(envelopeId: string): boolean;
}

/**
 * Does what must have happened besides the recorded calls to cause a delivery: somebody opened or signed
 * a document, a deadline passed, or another client changed an envelope. Returns false if nothing is left
 * to do.
 */
export async function performUnrecordedAction(
	state: ReplayState,
	delivery: RecordedDelivery,
): Promise<boolean> {
	const { event } = delivery.body;
	const payload = payloadSchema.parse(delivery.body.payload);
	const envelope = envelopeOf(state, payload.envelopeId);
	if (!state.isRecorded(payload.envelopeId)) {
		return await actAsOtherClient(state, event, payload, envelope);
	}
	if (!envelope) return false;
	const changes = state.ids.pair(payload.recipients, envelope.recipients).flatMap((pair) => {
		const before = pair.emulated as Recipient | undefined;
		return before ? [{ before, after: recipientSchema.parse(pair.recorded) }] : [];
	});
	if (event === 'RECIPIENT_EXPIRED') return expireAll(state.emulator, changes);
	for (const change of changes) {
		if (await actAsRecipient(state.emulator, event, change)) return true;
	}
	return false;
}

/** Fills in the fields that a recorded response shows filled in although signing is not finished. */
export function fillUnfinished({ emulator, ids }: ReplayState, { response }: Capture): void {
	const recorded = filledSchema.safeParse(response.body);
	if (!recorded.success) return;
	const envelope = emulator.store.envelopes.get(ids.get(recorded.data.id) ?? '');
	if (envelope?.status !== 'PENDING') return;
	for (const pair of ids.pair(recorded.data.fields, envelope.fields)) {
		const field = pair.emulated as Envelope['fields'][number] | undefined;
		const filled = recorded.data.fields[pair.index];
		if (!field || field.inserted || !filled?.inserted) continue;
		Object.assign(field, { inserted: true, customText: filled.customText });
		if (field.type.endsWith('SIGNATURE')) field.signature = 'Signed';
	}
}

interface Change {
	before: Recipient;
	after: z.output<typeof recipientSchema>;
}

async function actAsRecipient(
	emulator: Emulator,
	event: string,
	{ before, after }: Change,
): Promise<boolean> {
	const hasChanged = (key: 'readStatus' | 'signingStatus', value: string): boolean =>
		after[key] === value && before[key] !== value;
	if (event === 'DOCUMENT_OPENED' && hasChanged('readStatus', 'OPENED')) {
		await fetch(`${emulator.url}/sign/${before.token}`);
		return true;
	}
	if (event === 'DOCUMENT_RECIPIENT_COMPLETED' && hasChanged('signingStatus', 'SIGNED')) {
		await emulator.sign(before.token);
		return true;
	}
	if (event === 'DOCUMENT_REJECTED' && hasChanged('signingStatus', 'REJECTED')) {
		await emulator.reject(before.token, after.rejectionReason ?? 'No reason recorded');
		return true;
	}
	return false;
}

/** Expires recipients in the order of the recorded dates. */
function expireAll(emulator: Emulator, changes: readonly Change[]): boolean {
	const dateOf = ({ after }: Change): string => after.expirationNotifiedAt ?? '';
	const expired = changes
		.filter((change) => dateOf(change) !== '' && change.before.expirationNotifiedAt === null)
		.sort((a, b) => dateOf(a).localeCompare(dateOf(b)));
	for (const { before } of expired) emulator.expire(before.id);
	return expired.length > 0;
}

async function actAsOtherClient(
	state: ReplayState,
	event: string,
	payload: Payload,
	envelope: Envelope | undefined,
): Promise<boolean> {
	if (!envelope) return event === 'DOCUMENT_CREATED' && (await createLike(state, payload));
	const body = { envelopeId: envelope.id };
	if (event === 'DOCUMENT_SENT' && envelope.status === 'DRAFT') {
		return await post(state, 'distribute', body);
	}
	if (event === 'DOCUMENT_CANCELLED' && envelope.status === 'PENDING') {
		return await post(state, 'cancel', body);
	}
	return false;
}

/** Creates an envelope that no recorded call created, as far as its webhook describes it. */
async function createLike(
	state: ReplayState,
	{ envelopeId, title, externalId, ...payload }: Payload,
): Promise<boolean> {
	const before = new Set(state.emulator.store.envelopes.keys());
	const place = { page: 1, positionX: 10, positionY: 20, width: 20, height: 5 };
	const recipients = payload.recipients.map(({ email, name, role, signingOrder }) => ({
		email,
		name,
		role,
		...(signingOrder !== null && { signingOrder }),
		fields: [{ type: 'SIGNATURE', ...place }],
	}));
	const made = { type: 'DOCUMENT', title, ...(externalId !== null && { externalId }), recipients };
	const form = new FormData();
	form.append('payload', JSON.stringify(made));
	const file = await substituteFile('contract.pdf', Infinity);
	form.append('files', new Blob([file], { type: 'application/pdf' }), 'contract.pdf');
	await post(state, 'create', form);
	const created = [...state.emulator.store.envelopes.keys()].find((id) => !before.has(id));
	if (created) state.ids.add(envelopeId, created);
	return created !== undefined;
}

async function post(
	{ emulator, token }: ReplayState,
	what: string,
	body: object,
): Promise<boolean> {
	const isForm = body instanceof FormData;
	const response = await fetch(`${emulator.url}/api/v2/envelope/${what}`, {
		method: 'POST',
		headers: {
			authorization: token,
			...(!isForm && { 'content-type': 'application/json' }),
		},
		body: isForm ? body : JSON.stringify(body),
	});
	return response.ok;
}

function envelopeOf({ emulator, ids }: ReplayState, recordedId: string): Envelope | undefined {
	return emulator.store.envelopes.get(ids.get(recordedId) ?? '');
}
