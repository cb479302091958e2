import { clock } from '../../nodes/shared/api/clock';
import { paperwork, Poller } from '../support/polling';
import { lines } from '../support/service';
import { byId, useService } from '../support/suite';

const MINUTE_MS = 60_000;
/** How far Documenso's clock is ahead of n8n's, in minutes. */
let ahead = 0;
const documensoTime = () => clock.now() + ahead * MINUTE_MS;
const suite = useService({ seed: 'demo', clock: () => new Date(documensoTime()) });

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
