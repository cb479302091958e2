import type { IDataObject } from 'n8n-workflow';

import type { Folder } from '../../emulator/entities';
import { CHECK } from '../support/check';
import { hurry } from '../support/hurry';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor } from '../support/service';
import { fillFromRow, useService, wholeRow } from '../support/suite';

hurry(100);
const suite = useService({ seed: 'demo' });

const FOLDERS = 3;

const rowOf = (index: number): IDataObject => ({ ...wholeRow, 'External ID': `RA-${index}` });

/** IDs have letters only. */
const idOf = (index: number) =>
	`envelope_${String(index)
		.padStart(16, '0')
		.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`;

/** Documents like one that was sent, in the root and in folders. */
async function have(count: number) {
	const { store } = suite.service;
	await suite.outputOf(fillFromRow, [{ json: rowOf(0) }]);
	const [sent] = suite.documents();
	if (!sent) throw new Error('Nothing was sent');
	for (let index = 0; index < FOLDERS; index++) {
		await suite.outputOf({ resource: 'folder', operation: 'create', name: `Folder ${index}` });
	}
	const folders: Array<Folder | undefined> = [undefined, ...store.folders.values()];
	for (let index = 1; index < count; index++) {
		const folderId = folders[index % folders.length]?.id ?? null;
		const id = idOf(index);
		store.envelopes.set(id, { ...sent, id, externalId: `RA-${index}`, folderId });
	}
	suite.service.calls.length = 0;
}

/** How many requests were sent for what. */
function requests() {
	const { calls } = suite.service;
	const isPage = ({ query }: (typeof calls)[number]) => query.templateId !== undefined;
	const lists = calls.filter(({ method, path }) => `${method} ${path}` === 'GET /envelope');
	const pages = lists.filter(isPage).length;
	const reads = suite.calls('POST /envelope/get-many').length;
	return {
		...{ pages, reads, searches: lists.length - pages },
		others: calls.length - lists.length - reads,
	};
}

test.each([1000, 10_000])(
	'%d rows take as many requests as docs/check.md says',
	async (count) => {
		const missing = 7;
		const made = count - missing;
		await have(made);
		const rows = Array.from({ length: count }, (_, index) => ({ json: rowOf(index) }));
		const { logger } = loadOptionsContext(credentialFor(suite.service), CHECK);
		const info = jest.spyOn(logger, 'info').mockReset();
		const begun = process.cpuUsage();
		const output = await suite.outputOf(CHECK, rows);
		// Those of the local Documenso are in it.
		expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(60);
		const verdicts = output.map((one) => (one.documensoCheck as IDataObject).verdict);
		expect(verdicts.filter((one) => one === 'matches')).toHaveLength(made);
		expect(verdicts.slice(-missing)).toEqual(Array(missing).fill('missing'));
		const progress = info.mock.calls.map(([message]) => message).filter((one) => /rows/.test(one));
		expect(progress).toEqual(
			Array.from(
				{ length: Math.floor(made / 1000) },
				(_, index) => `Checked ${(index + 1) * 1000} of ${count} rows`,
			),
		);
		const places = FOLDERS + 1;
		expect(requests()).toEqual({
			pages: places * Math.ceil(made / places / 100),
			reads: Math.ceil(made / 20),
			// One list of all that is missing in each place.
			searches: places,
			// The template, and the list of folders for each of both.
			others: 3,
		});
	},
	300_000,
);
