import type { IDataObject } from 'n8n-workflow';

import { paperwork, Poller } from '../support/polling';
import { lines } from '../support/service';
import { byId, fillFromRow, tenants, useService } from '../support/suite';

const MINUTE_MS = 60_000;
/** How far Documenso's clock is ahead of n8n's, in minutes. */
let ahead = 0;
const documensoTime = () => Date.now() + ahead * MINUTE_MS;
const suite = useService({ seed: 'demo', clock: () => new Date(documensoTime()) });

const useTemplate: IDataObject = {
	...fillFromRow,
	additionalFields: { externalId: 'C-1', ifExternalIdExists: 'create' },
};
const ids = () => suite.service.store.documents.map(({ id }) => id);

describe('a document whose creation was not answered', () => {
	const CREATION = 'POST /envelope/use';

	test('is found where Documenso’s clock is behind', async () => {
		ahead = -60;
		await suite.createBefore();
		suite.service.fail({ match: CREATION, cut: 'after' });
		const [made] = await suite.outputOf(useTemplate, tenants(1));
		expect(ids()).toEqual([made?.id]);
	});

	test('is not taken for an older one with its external ID where Documenso’s clock is ahead', async () => {
		ahead = 59;
		await suite.outputOf(useTemplate, tenants(1));
		ahead = 60;
		suite.service.fail({ match: CREATION, cut: 'before' });
		const { items, error } = await suite.run(useTemplate, tenants(1));
		expect(error?.message).toMatch(/^The connection to Documenso at .* failed$/);
		expect(items).toEqual([]);
		expect(ids()).toHaveLength(1);
	});
});

describe('a document whose sending was not answered', () => {
	const SENDING = 'POST /envelope/distribute';
	const send = (id: string) => ({ resource: 'document', operation: 'send', documentId: byId(id) });

	test('is known to be sent where Documenso’s clock is behind', async () => {
		ahead = -60;
		const { id } = await suite.document();
		suite.service.fail({ match: SENDING, cut: 'after' });
		expect(await suite.outputOf(send(id))).toMatchObject([{ status: 'PENDING', id }]);
		expect(lines(suite.service).filter((line) => line === SENDING)).toHaveLength(1);
	});

	test('may have been sent only before where Documenso’s clock is ahead', async () => {
		ahead = 59;
		const { id } = await suite.document('createAndSend');
		ahead = 60;
		suite.service.fail({ match: SENDING, cut: 'before' });
		const { error } = await suite.run(send(id));
		expect(error?.description).toContain(`The status of the document ${id} is pending now`);
	});
});

test('a poll misses nothing after a document of the future where Documenso’s clock is behind', async () => {
	ahead = -60;
	const paper = paperwork(suite);
	await paper.begin();
	const poller = new Poller(suite.service);
	const inMinutes = (minutes: number) => ({
		createdAt: new Date(documensoTime() + minutes * MINUTE_MS),
	});
	await poller.poll();
	paper.draft('Of the future', inMinutes(30));
	expect(await poller.reported()).toEqual(['DOCUMENT_CREATED Of the future']);
	expect(await poller.reported()).toEqual([]);
	paper.draft('Of now', inMinutes(0));
	expect(await poller.reported()).toEqual(['DOCUMENT_CREATED Of now']);
});
