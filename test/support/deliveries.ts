/** A delivery of Documenso's, as short as one can be. */
export const completed = {
	event: 'DOCUMENT_COMPLETED',
	payload: {
		id: 7,
		envelopeId: 'envelope_abcdefghijklmnop',
		title: 'Lease',
		status: 'COMPLETED',
		externalId: 'crm-7',
		source: 'TEMPLATE',
		templateId: 3,
		teamId: 1,
		createdAt: '2026-01-01T00:00:00.000Z',
		updatedAt: '2026-01-02T00:00:00.000Z',
		completedAt: '2026-01-02T00:00:00.000Z',
		deletedAt: null,
		recipients: [recipient(1, 'tenant@example.com'), recipient(2, 'landlord@example.com')],
		Recipient: [recipient(1, 'tenant@example.com'), recipient(2, 'landlord@example.com')],
	},
	createdAt: '2026-01-02T00:00:01.000Z',
	webhookEndpoint: 'http://localhost/hook',
};

/** The body of a delivery that says something else. */
export const delivered = (changes: object = {}, event = completed.event) =>
	JSON.stringify({ ...completed, event, payload: { ...completed.payload, ...changes } });

function recipient(id: number, email: string) {
	return {
		id,
		email,
		name: '',
		role: 'SIGNER',
		token: `token-${String(id)}`,
		signingOrder: null,
		readStatus: 'OPENED',
		sendStatus: 'SENT',
		signingStatus: 'SIGNED',
		signedAt: `2026-01-02T00:00:0${String(id)}.000Z`,
		expiresAt: null,
		expirationNotifiedAt: null,
		rejectionReason: null,
	};
}
