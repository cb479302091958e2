import { causedBy } from '../../nodes/shared/events/event';
import { subjectSchema } from '../../nodes/shared/events/subject';

const untouched = {
	name: '',
	role: 'SIGNER',
	readStatus: 'NOT_OPENED',
	sendStatus: 'SENT',
	signingStatus: 'NOT_SIGNED',
	signedAt: null,
	expirationNotifiedAt: null,
};
const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
const signed = (minute: number) => ({ signingStatus: 'SIGNED', signedAt: at(minute) });
const opened = { readStatus: 'OPENED' };

/** Which recipient, by his place in the list from 1, caused the event. */
function cause(name: string, ...recipients: object[]): number | undefined {
	const subject = subjectSchema.parse({
		id: 'envelope_abc',
		secondaryId: 'document_1',
		title: 'Lease',
		status: 'PENDING',
		recipients: recipients.map((recipient, index) => ({
			...untouched,
			id: index + 1,
			email: `recipient-${String(index + 1)}@example.com`,
			...recipient,
		})),
	});
	return causedBy(name, subject)?.id;
}

describe.each(['DOCUMENT_SIGNED', 'DOCUMENT_RECIPIENT_COMPLETED', 'DOCUMENT_COMPLETED'])(
	'%s is caused by',
	(event) => {
		test('whoever has signed last', () => {
			expect(cause(event, signed(1), signed(3), signed(2))).toBe(2);
			expect(cause(event, signed(1), {}, {})).toBe(1);
		});

		test('nobody that can be known when two have signed at the same moment', () => {
			expect(cause(event, signed(1), signed(2), signed(2))).toBeUndefined();
			expect(cause(event, signed(2), signed(2), signed(3))).toBe(3);
		});

		test('somebody who had to do something, not who gets a copy', () => {
			const copy = { role: 'CC', ...signed(9) };
			expect(cause(event, signed(1), copy)).toBe(1);
			expect(cause(event, copy)).toBeUndefined();
		});

		test('an approver and a viewer, too', () => {
			expect(cause(event, signed(1), { role: 'VIEWER', ...signed(2) })).toBe(2);
			expect(cause(event, signed(1), { role: 'APPROVER', ...signed(2) })).toBe(2);
		});

		test('nobody when no date is there, or none that can be read', () => {
			expect(cause(event)).toBeUndefined();
			expect(cause(event, {}, {})).toBeUndefined();
			expect(cause(event, { signedAt: 'yesterday' })).toBeUndefined();
			expect(cause(event, { signedAt: 'yesterday' }, signed(1))).toBe(2);
		});

		test('whoever signed last by the time itself, however its date is written', () => {
			const later = { signedAt: '2026-01-01T01:30:00.000+01:00' };
			expect(cause(event, { signedAt: '2026-01-01T01:00:00.000Z' }, later)).toBe(1);
		});
	},
);

describe('DOCUMENT_OPENED is caused by', () => {
	const event = 'DOCUMENT_OPENED';

	test('the only one who has opened it and not acted yet', () => {
		expect(cause(event, {}, opened, {})).toBe(2);
		expect(cause(event, { ...opened, ...signed(1) }, opened)).toBe(2);
	});

	test('nobody that can be known when several have it open', () => {
		expect(cause(event, opened, opened)).toBeUndefined();
	});

	test('nobody when those who opened it have acted', () => {
		expect(cause(event, { ...opened, ...signed(1) }, {})).toBeUndefined();
	});
});

describe('DOCUMENT_REJECTED is caused by', () => {
	const rejected = { signingStatus: 'REJECTED', signedAt: at(1) };

	test('the one who has rejected it, even when somebody else acted later', () => {
		expect(cause('DOCUMENT_REJECTED', signed(2), rejected)).toBe(2);
	});

	test('nobody that can be known when two have, or none', () => {
		expect(cause('DOCUMENT_REJECTED', rejected, rejected)).toBeUndefined();
		expect(cause('DOCUMENT_REJECTED', signed(1), {})).toBeUndefined();
	});
});

describe('RECIPIENT_EXPIRED is caused by', () => {
	const expired = (minute: number) => ({ expirationNotifiedAt: at(minute) });

	test('the one whose expiry was noticed last', () => {
		expect(cause('RECIPIENT_EXPIRED', expired(1), expired(2), signed(3))).toBe(2);
	});

	test('nobody that can be known when two were noticed at the same moment', () => {
		expect(cause('RECIPIENT_EXPIRED', expired(1), expired(1))).toBeUndefined();
		expect(cause('RECIPIENT_EXPIRED', {})).toBeUndefined();
	});
});

test.each([
	'DOCUMENT_CREATED',
	'DOCUMENT_SENT',
	'DOCUMENT_CANCELLED',
	'DOCUMENT_REMINDER_SENT',
	'DOCUMENT_ARCHIVED',
	'TEMPLATE_USED',
	'TEMPLATE_CREATED',
])('%s is caused by no recipient', (event) => {
	const all = { ...opened, ...signed(1), expirationNotifiedAt: at(2) };
	expect(cause(event, all)).toBeUndefined();
	expect(cause(event, { ...opened })).toBeUndefined();
	expect(cause(event, { signingStatus: 'REJECTED' })).toBeUndefined();
});
