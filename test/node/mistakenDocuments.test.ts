import type { IDataObject } from 'n8n-workflow';

import { documenso, execute, retryExecution } from '../support/n8n';
import { credentialFor, lines } from '../support/service';
import { mapped, row, tina, USE, fillFromRow as use, useService, withId } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

// After a lost answer, the node looks for the document that it may have created, and must not mistake another for it.
const suite = useService({ seed: 'demo' });
const { upload } = suite;

const { documents } = suite;

const continued = { onError: 'continueRegularOutput' } as const;

const all = (error?: { message: string; description?: string }) =>
	`${error?.message ?? ''} ${error?.description ?? ''}`;

describe('with Create Anyway, an External ID does not tell which document was lost', () => {
	const older = async () => {
		await suite.run(withId(), [row()]);
		return documents()[0]?.id ?? '?';
	};

	test('so the item fails, and names what it may be', async () => {
		const earlier = await older();
		suite.service.fail({ match: USE, cut: 'after' });
		const { error } = await suite.run(withId(), [row()]);
		expect(documents()).toHaveLength(2);
		const [, lost] = documents();
		expect(error?.description).toContain(
			`It may be ${earlier} (pending), ${lost?.id ?? '?'} (pending).`,
		);
		expect(error?.context?.details).toMatchObject({ documentIds: [earlier, lost?.id] });
	});

	test('and so does every retry, which creates nothing more', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		const node = documenso(withId(), { maxTries: 3 });
		const failed = await execute(credentialFor(suite.service), [node], [row()]);
		const { data } = await retryExecution(credentialFor(suite.service), [node], failed);
		expect(documents()).toHaveLength(1);
		const { error } = data.resultData;
		expect(error?.message).toContain(`${documents()[0]?.id ?? '?'} (pending)`);
		expect(error?.description).toContain('run the workflow again for this item only');
	});

	test('and a draft is not sent', async () => {
		const additionalFields = { externalId: 'row-9', ifExternalIdExists: 'create' };
		suite.service.fail({ match: 'POST /envelope/create', cut: 'after' });
		const { error } = await upload({ additionalFields });
		expect(error?.description).toContain(`It may be ${documents()[0]?.id ?? '?'} (draft).`);
		expect(lines(suite.service)).not.toContain('POST /envelope/distribute');
	});

	test('unless there is none after two minutes: then a retry creates it', async () => {
		suite.service.fail({ match: USE, cut: 'before' });
		const { error } = await suite.run(withId(), [row()], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(documents().map(({ status }) => status)).toEqual(['PENDING']);
	});

	test('but what other items have, or is for other people, is not named', async () => {
		const others = [row({ 'Tenant email': 'other@example.com', Rent: 1 }), row({ Rent: 1 })];
		suite.service.fail({ match: USE, delayMs: 0, times: 2 });
		suite.service.fail({ match: USE, cut: 'after' });
		const { items } = await suite.run(
			{ ...withId(), options: { maxInFlight: 1 } },
			[...others, row({ Rent: 2 })],
			continued,
		);
		expect(items[2]?.json.details).toMatchObject({ documentIds: [documents()[2]?.id] });
	});

	test('and neither is one whose External ID only contains the other one', async () => {
		await suite.run(withId(), [row({ id: 'RA-10' })]);
		suite.service.fail({ match: USE, cut: 'before' });
		const { error } = await suite.run(withId(), [row()]);
		expect(all(error)).not.toContain('It may be');
	});
});

describe('the document of another node is not taken', () => {
	test.each<[string, IDataObject, RegExp]>([
		['for the lost one', {}, /^The connection to Documenso/],
		['for one that exists', { ifExternalIdExists: 'skip' }, /^'External ID' is missing/],
	])(
		'%s, though its External ID comes with the item',
		async (_, changes, message) => {
			const parameters = { ...use, columns: mapped(tina) };
			const first = documenso(parameters, { name: 'First' });
			const second = documenso({ ...parameters, additionalFields: changes }, { name: 'Second' });
			suite.service.fail({ match: USE, delayMs: 0 });
			suite.service.fail({ match: USE, cut: 'before' });
			const { data } = await execute(credentialFor(suite.service), [first, second], [{ json: {} }]);
			expect(data.resultData.error?.message).toMatch(message);
			expect(data.resultData.runData.Second?.[0]?.data).toBeUndefined();
			expect(documents()).toHaveLength(1);
		},
		20_000,
	);
});
