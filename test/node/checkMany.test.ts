import type { IDataObject } from 'n8n-workflow';

import type { Envelope, Field, Folder } from '../../emulator/entities';
import { newField, newRecipient } from '../../emulator/envelopes/draft';
import { MUTUAL_NDA } from '../../emulator/seed/demo';
import { CHECK, partsOf, type Told } from '../support/check';
import { hurry } from '../support/hurry';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor } from '../support/service';
import { boxes, byId, fillFromRow, type Suite, useService, wholeRow } from '../support/suite';

hurry(100);
const suite = useService({ seed: 'demo' });

/** The template has a field of every type that a row can fill in, people who sign one after another, and a copy for somebody. */
function enrich({ template, field }: Suite) {
	const agreement = template();
	const instance = partsOf(suite);
	agreement.documentMeta.signingOrder = 'SEQUENTIAL';
	const { id: _, secondaryId: __, ...place } = field('rent');
	const add = (type: Field['type'], label: string, positionY: number, meta: IDataObject) => {
		const fieldMeta = { type: type.toLowerCase(), label, ...meta } as Field['fieldMeta'];
		agreement.fields.push(newField(instance, { ...place, type, positionY, fieldMeta }));
	};
	add('NUMBER', 'Deposit', 2, { numberFormat: '123,456,789.00' });
	add('RADIO', 'Heating', 4, { values: boxes('Gas', 'District', 'None') });
	add('CHECKBOX', 'Extras', 6, { values: boxes('Garage', 'Garden', 'Cellar') });
	add('TEXT', 'Remark', 8, {});
	const copy = { email: 'books@example.com', name: 'Books', role: 'CC', signingOrder: 3 } as const;
	agreement.recipients.push(newRecipient(instance, copy));
}

const rowOf = (index: number): IDataObject => ({
	'External ID': `RA-${index}`,
	'Tenant email': `tenant${index}@example.com`,
	'Tenant name': `Tenant ${index}`,
	'Anna Landlord email': 'landlord@example.com',
	Address: `${index} Main Street`,
	Rent: 900 + index,
	'Start date': `2027-0${1 + (index % 9)}-${10 + (index % 18)}`,
	Payment: ['Card', 'Direct debit'][index % 2],
	Deposit: 1800 + index / 4,
	Heating: ['Gas', 'District'][index % 2],
	Extras: [['Garage'], ['Garden', 'Cellar']][index % 2],
	Remark: `No. ${index}`,
});

/** What is wrong with a row or its document, and what is to be found. */
interface Fault {
	count: number;
	/** What the row says instead. */
	row?: (row: IDataObject) => IDataObject;
	/** What becomes of the document. */
	document?: (document: Envelope) => unknown;
	verdict: string;
	differences?: Array<[name: string, cause: string]>;
}

const inRow = (name: string, value: unknown, count = 10): Fault => ({
	...{ count, verdict: 'different', differences: [[name, 'sent']] },
	row: () => ({ [name]: value }) as IDataObject,
});

const labelled = ({ fields }: Envelope, label: string) => {
	const found = fields.find(({ fieldMeta }) => fieldMeta?.label === label);
	if (!found) throw new Error(`No field ${label}`);
	return found;
};

const tokenOf = ({ recipients }: Envelope) => recipients[0]?.token ?? '';

const after = (name: string): Pick<Fault, 'verdict' | 'differences'> => ({
	...{ verdict: 'different', differences: [[name, 'changedAfterSending']] },
});

async function change(resource: string, operation: string, parameters: IDataObject) {
	await suite.outputOf({ resource, operation, ...parameters });
}

const FAULTS: Record<string, Fault> = {
	text: inRow('Address', '1 Side Street'),
	number: inRow('Rent', '899'),
	formatted: inRow('Deposit', '1,250.00'),
	date: inRow('Start date', '2027-12-24'),
	radio: inRow('Heating', 'None'),
	boxes: inRow('Extras', ['Garage', 'Garden', 'Cellar']),
	dropdown: inRow('Payment', 'Bank transfer'),
	address: inRow('Tenant email', 'other@example.com', 8),
	landlord: inRow('Anna Landlord email', 'anna@example.com', 6),
	name: inRow('Tenant name', 'Other', 6),
	order: inRow('Anna Landlord signing order', 4, 4),
	doubled: {
		...{ count: 8, verdict: 'duplicate' },
		document: (document) => {
			const { id, externalId } = document;
			const copy = { ...document, id: `${id.slice(0, -4)}copy`, externalId };
			suite.service.store.envelopes.set(copy.id, copy);
		},
	},
	missing: {
		...{ count: 8, verdict: 'missing' },
		document: ({ id }) => suite.service.store.envelopes.delete(id),
	},
	draft: {
		...{ count: 10, verdict: 'draft' },
		document: (document) => {
			document.status = 'DRAFT';
			for (const one of document.recipients) if (one.role !== 'CC') one.sendStatus = 'NOT_SENT';
		},
	},
	stuck: {
		...{ count: 8, verdict: 'stuck' },
		document: ({ recipients }) => {
			for (const one of recipients) one.expiresAt = new Date(0);
		},
	},
	changedBySigner: {
		...{ count: 8, verdict: 'different', differences: [['Remark', 'changedBySigner']] },
		document: async (document) =>
			await suite.service.sign(tokenOf(document), { fields: { Remark: 'Not what was asked' } }),
	},
	emptiedBySigner: {
		...{ count: 8, verdict: 'different', differences: [['Remark', 'emptiedBySigner']] },
		document: async (document) =>
			await suite.service.sign(tokenOf(document), { fields: { Remark: null } }),
	},
	title: {
		...{ count: 6, ...after('Title') },
		document: async ({ id }) => {
			const updateFields = { title: 'Lease' };
			await change('document', 'update', { documentId: byId(id), updateFields });
		},
	},
	recipient: {
		// Whoever is not asked yet does not show it; only the audit log does.
		...{ count: 6, verdict: 'different', differences: [['Anna Landlord email', 'sent']] },
		document: async ({ id, recipients }) => {
			const updateFields = { email: 'late@example.com' };
			const recipientId = byId(recipients[1]?.id);
			await change('recipient', 'update', { envelopeId: byId(id), recipientId, updateFields });
		},
	},
	fieldDeleted: {
		...{ count: 6, ...after('Date on page 2 (Anna Landlord)') },
		document: async ({ id, fields }) => {
			const fieldId = byId(fields.filter(({ type }) => type === 'DATE').at(-1)?.id);
			await change('field', 'delete', { envelopeId: byId(id), fieldId });
		},
	},
	fieldAdded: {
		...{ count: 6, ...after('Bonus') },
		document: (document) => {
			const { id: _, secondaryId: __, ...place } = labelled(document, 'Rent');
			const fieldMeta = { type: 'number', label: 'Bonus' } as Field['fieldMeta'];
			const own = { positionY: 50, fieldMeta, customText: '', inserted: false };
			document.fields.push(newField(partsOf(suite), { ...place, ...own }));
		},
	},
	personAdded: {
		...{ count: 6, ...after('Guest') },
		document: ({ recipients }) => {
			const guest = { email: 'guest@example.com', name: 'Guest', role: 'CC' } as const;
			recipients.push(newRecipient(partsOf(suite), guest));
		},
	},
	personDeleted: {
		...{ count: 4, ...after('Books email') },
		document: ({ recipients }) => void recipients.pop(),
	},
	rejected: {
		...{ count: 5, verdict: 'ended' },
		document: async (document) => await suite.service.reject(tokenOf(document), 'Too dear'),
	},
	cancelled: {
		...{ count: 5, verdict: 'ended' },
		document: async ({ id }) => {
			await change('document', 'cancel', { documentId: byId(id), reason: 'Moved away' });
		},
	},
	otherTemplate: {
		...{ count: 2, verdict: 'different', differences: [['Template', 'sent']] },
		document: (document) => {
			const nda = suite.service.store.envelopes.get(MUTUAL_NDA.id);
			document.templateId = nda?.legacyId ?? null;
		},
	},
};

const ROWS = 1000;
const KINDS = Object.entries(FAULTS).flatMap(([kind, { count }]) =>
	Array<string>(count).fill(kind),
);
/** Documents that no row asks for. */
const STRAY = 200 - KINDS.length;

/** Every fifth row or so has a fault, the kinds in turn. */
const faultAt = (index: number) => FAULTS[KINDS[index] ?? ''];

const short = ({ verdict, differences = [] }: Partial<Told>) => ({
	verdict,
	differences: differences.map(({ name, cause }) => [name, cause]),
});

test('of 1,000 rows, the 200 faults are found, and nothing else', async () => {
	enrich(suite);
	const rows = Array.from({ length: ROWS + STRAY }, (_, index) => rowOf(index));
	await suite.outputOf(
		fillFromRow,
		rows.map((json) => ({ json })),
	);
	const documents = new Map(suite.documents().map((one) => [one.externalId, one]));
	for (const [index, row] of rows.entries()) {
		const document = documents.get(`RA-${index}`);
		if (!document) throw new Error(`Nothing was made for ${index}`);
		await faultAt(index)?.document?.(document);
		Object.assign(row, faultAt(index)?.row?.(row));
	}
	await suite.service.settled();
	const asked = rows.slice(0, ROWS);
	const check = async () => {
		const output = await suite.outputOf(
			{ ...CHECK, options: { alsoWithoutRow: true } },
			asked.map((json) => ({ json })),
		);
		return output.map(({ documensoCheck }) => short(documensoCheck as Told));
	};
	const expected = [...asked.keys()].map((index) => {
		const { verdict = 'matches', differences = [] } = faultAt(index) ?? {};
		return { verdict, differences };
	});
	const stray = Array.from({ length: STRAY }, () => ({ verdict: 'noRow', differences: [] }));
	expect(await check()).toEqual([...expected, ...stray]);

	// Half of them is signed.
	for (let index = ROWS - 500; index < ROWS; index++) {
		const { recipients = [] } = documents.get(`RA-${index}`) ?? {};
		for (const { token, role } of recipients) if (role !== 'CC') await suite.service.sign(token);
	}
	await suite.service.settled();
	const completed = suite.documents().filter(({ status }) => status === 'COMPLETED');
	expect(completed).toHaveLength(500);
	expect(await check()).toEqual([...expected, ...stray]);
	// A busy machine takes many times as long.
}, 400_000);

describe('the requests', () => {
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
		'for %d rows are as many as docs/check.md says',
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
			const progress = info.mock.calls
				.map(([message]) => message)
				.filter((one) => /rows/.test(one));
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
});
