import { lines, sentTo } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService();
const base = { resource: 'embedToken' };

test('Create makes a token for one document, and Verify finds it good', async () => {
	const { id } = await suite.document();
	const create = { ...base, operation: 'create', expiresIn: 30, envelopeId: byId(id) };
	const [made] = await suite.outputOf(create);
	const scope = `envelopeId:${id}`;
	expect(sentTo(suite.service, 'POST /embedding/create-presign-token')).toEqual({
		expiresIn: 30,
		scope,
	});
	expect(made).toMatchObject({ token: expect.any(String) as string, expiresIn: 1800 });

	const verify = { ...base, operation: 'verify', token: made?.token, scope };
	expect(await suite.outputOf(verify)).toEqual([{ success: true }]);
	expect(sentTo(suite.service, 'POST /embedding/verify-presign-token')).toEqual({
		token: made?.token,
		scope,
	});
});

test.each([
	[10_081, 'is above 10080 minutes, which is a week'],
	[-1, 'is below 0'],
])('%s minutes are refused before any request', async (expiresIn, message) => {
	const { error } = await suite.run({ ...base, operation: 'create', expiresIn });
	expect(error?.message).toContain(message);
	expect(lines(suite.service)).toEqual([]);
});
