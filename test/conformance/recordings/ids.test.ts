import { IdMap } from '../../../conformance/recordings/ids';

const envelope = ['envelope_aaaaaaaaaaaaaaaa', 'envelope_bbbbbbbbbbbbbbbb'] as const;

function learned(recorded: unknown, emulated: unknown, context = '/api/v2/envelope'): IdMap {
	const ids = new IdMap();
	ids.learn(recorded, emulated, context);
	return ids;
}

describe('ids', () => {
	it('are replaced in bodies, paths and texts', () => {
		const ids = learned({ id: envelope[0] }, { id: envelope[1] });

		expect(ids.translate({ envelopeId: envelope[0] }, '')).toEqual({ envelopeId: envelope[1] });
		expect(ids.translateText(`/api/v2/envelope/${envelope[0]}?a=1`)).toBe(
			`/api/v2/envelope/${envelope[1]}?a=1`,
		);
	});

	it('stay as they are when nothing is known of them', () => {
		const body = { envelopeId: 'envelope_doesnotexist', recipientId: 99_999_999 };

		expect(new IdMap().translate(body, '/api/v2/envelope/field')).toEqual(body);
	});

	it('of recipients are learned from whoever is the same person', () => {
		const recorded = { recipients: [person(1, 'a'), person(2, 'b')] };
		const emulated = { recipients: [person(8, 'b'), person(9, 'a')] };
		const ids = learned(recorded, emulated);

		expect(ids.translate({ recipientId: 1 }, '')).toEqual({ recipientId: 9 });
		expect(ids.translate({ recipients: [2, 1] }, '/envelope/redistribute')).toEqual({
			recipients: [8, 9],
		});
		expect(ids.translateText('/api/v2/envelope/recipient/2/reject')).toBe(
			'/api/v2/envelope/recipient/8/reject',
		);
	});

	it('of fields are learned by the recipient they belong to', () => {
		const field = (id: number, recipientId: number) => ({ id, recipientId, type: 'SIGNATURE' });
		const ids = learned(
			{ recipients: [person(1, 'a'), person(2, 'b')], fields: [field(1, 1), field(2, 2)] },
			{ recipients: [person(1, 'b'), person(2, 'a')], fields: [field(5, 1), field(6, 2)] },
		);

		expect(ids.translate({ fieldId: 1 }, '')).toEqual({ fieldId: 6 });
	});

	it('of different kinds are not mixed up', () => {
		const ids = learned({ documentId: 1, templateId: 1 }, { documentId: 4, templateId: 7 });

		expect(ids.translate({ ids: { type: 'documentId', ids: [1] } }, '')).toEqual({
			ids: { type: 'documentId', ids: [4] },
		});
		expect(ids.translate({ templateId: 1, page: 1 }, '')).toEqual({ templateId: 7, page: 1 });
	});
});

function person(id: number, name: string) {
	return { id, name, email: `${name}@example.com`, role: 'SIGNER' };
}
