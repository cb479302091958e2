import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import { DEMO_TEAM, DEMO_USER } from '../../emulator/options';
import { OTHER_PROCESS } from '../support/otherProcess';
import { fillFromRow, tenants, USE, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

// Others have, or create, documents with the same External IDs.
const COLLEAGUE = { id: 2, name: 'Colleague', email: 'colleague@example.com' };
const use: IDataObject = { ...fillFromRow, additionalFields: { ifExternalIdExists: 'create' } };
const suite = useService({
	seed: 'demo',
	rateLimit: { limit: 1_000_000, windowMs: 60_000 },
	tokens: [
		{ token: 'api_one', user: DEMO_USER, team: DEMO_TEAM },
		{ token: 'api_two', user: COLLEAGUE, team: DEMO_TEAM },
	],
});
const { documents } = suite;
const ours = { apiToken: 'api_one' };

let turn = 0;
function rowsWithIds(count: number): INodeExecutionData[] {
	turn += 1;
	return tenants(count).map(({ json }, index) => ({
		json: { ...json, 'External ID': `O${turn}-${index}.` },
	}));
}
const idsOf = (rows: INodeExecutionData[]) => rows.map(({ json }) => json['External ID'] as string);
const mode = (ifExternalIdExists: string): IDataObject => ({
	...use,
	additionalFields: { ifExternalIdExists },
});
const run = async (
	policy: string,
	rows: INodeExecutionData[],
	setup: Parameters<typeof suite.run>[2] = {},
) =>
	await suite.run(mode(policy), rows, {
		credential: ours,
		onError: 'continueRegularOutput',
		...setup,
	});

const isSent = ({ status }: { status: string }) => status !== 'DRAFT';
const sentIds = () =>
	documents()
		.filter(isSent)
		.map(({ externalId }) => externalId);
const repeated = (all: unknown[]) => all.filter((one, index) => all.indexOf(one) !== index);

describe('of several documents with the External ID', () => {
	/** Statuses from the oldest to the newest, and which of them counts. */
	const CASES: Array<[string[], number]> = [
		[['PENDING', 'DRAFT'], 0],
		[['DRAFT', 'PENDING'], 1],
		[['COMPLETED', 'DRAFT'], 0],
		[['DRAFT', 'COMPLETED', 'PENDING'], 1],
		[['PENDING', 'COMPLETED'], 0],
		[['DRAFT', 'DRAFT'], 0],
		[['REJECTED', 'DRAFT'], 1],
		[['REJECTED', 'PENDING', 'DRAFT'], 1],
		[['CANCELLED', 'COMPLETED'], 1],
		[['CANCELLED', 'REJECTED'], 0],
		[['REJECTED'], 0],
	];

	test.each(['skip', 'skipAcrossWorkers'])(
		'%s takes a sent one before a draft, the oldest of each, and what ended badly last',
		async (policy) => {
			const rows = rowsWithIds(CASES.length);
			const wanted: string[] = [];
			for (const [row, [statuses, counts]] of CASES.entries()) {
				for (const [place, status] of statuses.entries()) {
					const send = status !== 'DRAFT';
					const before = new Set(documents());
					await suite.run({ ...use, send }, rows.slice(row, row + 1), { credential: ours });
					const [made] = documents().filter((one) => !before.has(one));
					if (!made) throw new Error('No document was made');
					made.createdAt = new Date(clock.now() - (10 - place) * 3_600_000);
					Object.assign(made, { status });
					if (place === counts) wanted.push(made.id);
				}
			}
			const before = documents().length;
			const { items } = await run(policy, rows);
			expect(items.map(({ json }) => json.id ?? json.error)).toEqual(wanted);
			expect(documents()).toHaveLength(before);
			expect(items.at(-1)?.json).toMatchObject({ status: 'REJECTED', alreadyExisted: true });
			// Nothing else was sent: only the draft that counts.
			const drafts = documents().filter(({ status }) => status === 'DRAFT');
			expect(drafts).toHaveLength(
				CASES.flatMap(([statuses, counts]) =>
					statuses.filter((status, place) => status === 'DRAFT' && place !== counts),
				).length,
			);
		},
	);
});

test('Skip, Across Workers deletes no draft that somebody else made while its own request was lost', async () => {
	const rows = rowsWithIds(1);
	const newFolder = { resource: 'folder', operation: 'create', name: 'Other', type: 'DOCUMENT' };
	const { items: folders } = await suite.run(newFolder, [{ json: {} }], { credential: ours });
	let isLost = false;
	suite.service.intercept(USE, async () => {
		if (isLost) return undefined;
		isLost = true;
		// It counts, but a look in the row's own folder does not show it.
		const folderId = folders[0]?.json.id;
		const inFolder = { ...use, additionalFields: { ifExternalIdExists: 'create', folderId } };
		await suite.run({ ...use, send: false }, rows, { credential: ours });
		await suite.run(inFolder, rows, { credential: ours });
		return 'cut';
	});
	const { items } = await run('skipAcrossWorkers', rows);
	const [draft, sent] = documents();
	expect(documents().map(({ status }) => status)).toEqual(['DRAFT', 'PENDING']);
	expect(items[0]?.json.error).toContain(
		`which the document ${sent?.id ?? ''} (pending) has too, and the draft ${draft?.id ?? ''} of this item could not be deleted`,
	);
});

describe('two credentials of one team in one process', () => {
	const local = () => suite.service.url.replace('127.0.0.1', 'localhost');
	const SECOND: Record<string, () => { apiToken: string; baseUrl?: string }> = {
		'the same token with a blank': () => ({ apiToken: 'api_one ' }),
		'another name of the same host': () => ({ apiToken: 'api_one', baseUrl: local() }),
		'the token of a colleague': () => ({ apiToken: 'api_two' }),
	};

	test.each(Object.keys(SECOND))('create one document for each of 30 rows: %s', async (which) => {
		const rows = rowsWithIds(30);
		const second = SECOND[which]?.();
		suite.service.intercept(USE, async ({ pass }) => {
			const answer = await pass();
			await clock.sleep(500);
			return answer;
		});
		/** The requests of each of the two with their answers, by host and token. */
		const asked: Array<{ who: string; text: string }> = [];
		suite.service.intercept('*', async ({ headers, line, query, pass, text }) => {
			const who = `${headers.host} ${headers.authorization}`;
			const answer = await pass();
			asked.push({ who, text: `${line} ${query.toString()} ${text} ${answer.body}` });
			return answer;
		});
		const runs = await Promise.all([run('skip', rows), run('skip', rows, { credential: second })]);
		expect(sentIds().sort()).toEqual(idsOf(rows).sort());
		const base = second?.baseUrl ?? suite.service.url;
		const whos = [
			`${new URL(suite.service.url).host} api_one`,
			`${new URL(base).host} ${second?.apiToken.trim()}`,
		];
		for (const [index, { items, error }] of runs.entries()) {
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.externalId)).toEqual(idsOf(rows));
			const seen = asked.filter(({ who }) => who === whos[index]).map(({ text }) => text);
			for (const { json } of items) {
				if (!json.alreadyExisted) continue;
				expect(seen.some((text) => text.includes(json.id as string))).toBe(true);
				for (const { signingUrl } of json.recipients as Array<{ signingUrl: string }>) {
					const token = signingUrl.slice(signingUrl.lastIndexOf('/') + 1);
					expect(seen.some((text) => text.includes(token))).toBe(true);
				}
			}
		}
	});
});

/** Two creations of one External ID reach Documenso at the same moment if they are requested within two seconds. */
function meet() {
	const waiting = new Map<string, () => void>();
	suite.service.intercept(USE, async ({ text }) => {
		const [id = ''] = /O\d+-\d+\./.exec(text) ?? [];
		const partner = waiting.get(id);
		if (partner) partner();
		else {
			await new Promise<void>((resolve) => {
				waiting.set(id, resolve);
				void clock.sleep(2000).then(resolve);
			});
		}
		return undefined;
	});
}

describe('Skip, Across Workers in a second process at the same moment', () => {
	test('sends one document for each of 20 rows with a corrected address, and accounts for the other', async () => {
		const rows = rowsWithIds(20);
		meet();
		const corrected = rows.map(({ json }) => ({
			json: { ...json, 'Tenant email': `right.${json['Tenant email'] as string}` },
		}));
		const [one, other] = await Promise.all([
			run('skipAcrossWorkers', rows),
			run('skipAcrossWorkers', corrected, { type: OTHER_PROCESS }),
		]);
		expect(repeated(sentIds())).toEqual([]);
		for (const { items } of [one, other]) {
			for (const [index, { json }] of items.entries()) {
				const id = rows[index]?.json['External ID'] as string;
				const own = documents().filter(({ externalId }) => externalId === id);
				const said = JSON.stringify(json);
				expect(own.some((document) => said.includes(document.id))).toBe(true);
			}
		}
	});

	test('sends one document for each of 20 rows that are the same in both', async () => {
		const rows = rowsWithIds(20);
		meet();
		const runs = await Promise.all([
			run('skipAcrossWorkers', rows),
			run('skipAcrossWorkers', rows, { type: OTHER_PROCESS }),
		]);
		expect(sentIds().sort()).toEqual(idsOf(rows).sort());
		for (const { items } of runs) {
			expect(items.map(({ json }) => json.externalId)).toEqual(idsOf(rows));
		}
	});
});
