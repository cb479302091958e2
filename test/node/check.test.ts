import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { automatic, byId, fillFromRow, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });

const CHECK = {
	resource: 'template',
	operation: 'checkDocuments',
	templateId: byId(RENTAL_AGREEMENT.id),
	columns: automatic,
};

interface Told extends IDataObject {
	verdict: string;
	document: IDataObject | null;
	others: string[];
	differences: IDataObject[];
	notCompared: IDataObject[];
	advice: string;
}

const items = (...rows: IDataObject[]) => rows.map((json) => ({ json }));

async function check(rows: IDataObject[], parameters: IDataObject = {}) {
	const output = await suite.outputOf({ ...CHECK, ...parameters }, items(...rows));
	return output.map(({ documensoCheck }) => documensoCheck as Told);
}

const contract = (id: string, changes: IDataObject = {}): IDataObject => ({
	...wholeRow,
	'External ID': id,
	...changes,
});

/** Sends the contracts of these rows, and returns the document of the first one. */
async function sent(...rows: IDataObject[]): Promise<Envelope> {
	await suite.outputOf(fillFromRow, items(...rows));
	const [first] = rows;
	const document = suite.documents().find((one) => one.externalId === first?.['External ID']);
	if (!document) throw new Error('Nothing was sent');
	suite.service.calls.length = 0;
	return document;
}

describe('a row', () => {
	test('matches the document that was sent for it, before it is signed and after', async () => {
		const document = await sent(contract('RA-1'));
		const [before] = await check([contract('RA-1')]);
		expect(before).toMatchObject({
			verdict: 'matches',
			differences: [],
			notCompared: [],
			others: [],
		});
		expect(before?.document).toMatchObject({ id: document.id, status: 'PENDING' });
		await suite.complete(document.id);
		const [after] = await check([contract('RA-1')]);
		expect(after).toMatchObject({ verdict: 'matches', differences: [], notCompared: [] });
	});

	test('has no document', async () => {
		await sent(contract('RA-1'));
		const [first, second] = await check([contract('RA-1'), contract('RA-2')]);
		expect([first?.verdict, second?.verdict]).toEqual(['matches', 'missing']);
		expect(second?.document).toBeNull();
	});

	test.each([
		['Rent', '950', '900'],
		['Address', '2 Main Street', '1 Main Street'],
		['Payment', 'Bank transfer', 'Card'],
		['Start date', '2027-03-01', '2027-02-01'],
		['Tenant email', 'tom@example.com', 'tina@example.com'],
		['Tenant name', 'Tom', 'Tina'],
	])('differs in %s', async (column, row, document) => {
		await sent(contract('RA-1'));
		const [told] = await check([contract('RA-1', { [column]: row })]);
		expect(told).toMatchObject({
			verdict: 'different',
			differences: [{ name: column, row, document, cause: 'sent' }],
		});
	});
});
