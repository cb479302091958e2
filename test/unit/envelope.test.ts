import { envelopeSchema } from '../../nodes/shared/api/envelope';
import { openRecipients } from '../../nodes/shared/api/lifecycle';

test('signers and viewers have to act until they have; a CC never has to, and nobody after a rejection', () => {
	const envelope = envelopeSchema.parse({
		id: 'envelope_abc',
		secondaryId: 'document_1',
		type: 'DOCUMENT',
		status: 'PENDING',
		title: 'Lease',
		recipients: [
			['SIGNER', 'NOT_SIGNED'],
			['SIGNER', 'SIGNED'],
			['VIEWER', 'NOT_SIGNED'],
			['APPROVER', 'NOT_SIGNED'],
			['CC', 'NOT_SIGNED'],
		].map(([role, signingStatus], index) => ({
			...{ id: index + 1, email: `recipient-${index + 1}@example.com`, name: '' },
			...{ role, signingStatus },
		})),
		fields: [],
		envelopeItems: [],
	});
	expect(openRecipients(envelope).map(({ id }) => id)).toEqual([1, 3, 4]);
	const [first] = envelope.recipients;
	if (first) first.signingStatus = 'REJECTED';
	expect(openRecipients(envelope)).toEqual([]);
});
