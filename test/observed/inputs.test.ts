import { operations } from '../support/operations';
import { lines, sentTo } from '../support/service';
import { useService } from '../support/suite';

const suite = useService();

describe('13.12 Template: Create', () => {
	test('hints at placeholder recipients, as no other operation that takes recipients', () => {
		const hinting = operations.filter(({ operation }) =>
			operation.properties.some(
				({ name, displayName }) =>
					name === 'placeholderRecipientsNotice' &&
					displayName.includes('recipient.1@documenso.com'),
			),
		);
		expect(hinting.map(({ id }) => id)).toEqual(['template.create']);
	});
});

describe('13.12 Embed Token: Create', () => {
	const create = { resource: 'embedToken', operation: 'create' };

	test.each([0, 1, 4])(
		'of %s minutes says what the service makes of it, before any request',
		async (expiresIn) => {
			const { error } = await suite.run({ ...create, expiresIn });
			expect(error?.message).toBe(
				"'Expires In (Minutes)' is below 5 minutes; Documenso would use 60 minutes instead [item 0]",
			);
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test('of 5 minutes lives so long', async () => {
		expect(await suite.outputOf({ ...create, expiresIn: 5 })).toMatchObject([{ expiresIn: 300 }]);
		expect(sentTo(suite.service, 'POST /embedding/create-presign-token')).toEqual({ expiresIn: 5 });
	});

	test('says beside the input how few minutes are possible', () => {
		const { operation } = operations.find(({ id }) => id === 'embedToken.create') ?? {};
		const input = operation?.properties.find(({ name }) => name === 'expiresIn');
		expect(input?.description).toContain('from 5');
		expect(input?.typeOptions?.minValue).toBe(5);
	});
});
