import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { documenso, execute, itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines } from '../support/service';
import { byId, contract, fillFromRow, tenants, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const unlimited = { options: { maxInFlight: 0 } };
const maybe = { options: { checkAllFirst: '={{ "maybe" }}' } };
const template = { resource: 'template', templateId: byId(RENTAL_AGREEMENT.id) };
const LIMIT = "'Options > Max Concurrent Requests' is below 1";
const SWITCH = "'Options > Check All Items First' is neither true nor false";

const ADVICE = 'Correct the value, or the expression that gives it.';

/** An operation of each kind. */
const unusable: Array<[string, IDataObject, string]> = [
	['a list', { ...template, operation: 'getAll', ...unlimited }, LIMIT],
	['a read of several at once', { ...template, operation: 'get', ...unlimited }, LIMIT],
	['a change', { ...template, operation: 'duplicate', ...unlimited }, LIMIT],
	['a creation', { ...fillFromRow, ...unlimited }, LIMIT],
	['a creation that checks all first', { ...fillFromRow, ...maybe }, SWITCH],
	[
		'a creation from files',
		{ resource: 'document', operation: 'create', ...contract, ...maybe },
		SWITCH,
	],
];

/** Items with files. */
const rows = async () =>
	await Promise.all(
		tenants(3).map(async (tenant) => ({
			...(await itemWith({ data: { content: await pdf() } })),
			...tenant,
		})),
	);

describe.each(unusable)('an option for the whole run that %s cannot use', (_, parameters, why) => {
	test('fails every item under Continue On Fail, and nothing is sent', async () => {
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items, error } = await suite.run(parameters, await rows(), setup);
		expect(error).toBeUndefined();
		expect(items).toEqual(
			[0, 1, 2].map((item) => ({
				json: { error: `${why} [item ${item}]`, details: { description: ADVICE } },
				pairedItem: { item },
			})),
		);
		expect(lines(suite.service)).toEqual([]);
	});

	test('sends every item to the error output, with what it came with', async () => {
		const node = documenso(parameters, { onError: 'continueErrorOutput' });
		const { data } = await execute(credentialFor(suite.service), [node], await rows());
		const [successes = [], failures = []] =
			data.resultData.runData[node.name]?.[0]?.data?.main ?? [];
		expect(successes).toEqual([]);
		expect(failures?.map(({ json }) => json)).toEqual(
			tenants(3).map(({ json }, item) => ({
				...json,
				error: `${why} [item ${item}]`,
				details: { description: ADVICE },
			})),
		);
	});

	test('stops the run otherwise', async () => {
		const { items, error } = await suite.run(parameters, await rows());
		expect(error?.message).toBe(`${why} [item 0]`);
		expect(items).toEqual([]);
		expect(lines(suite.service)).toEqual([]);
	});
});
