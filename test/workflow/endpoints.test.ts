import { paperwork } from '../support/polling';
import { lines } from '../support/service';
import { byId, useService } from '../support/suite';

jest.setTimeout(60_000);

/** It works on two requests at once, so that of four each takes twice as long, and of eight four times. */
const suite = useService({ capacity: { workers: 2, workMs: 25 } });
const paper = paperwork(suite);

test('requests to one endpoint are compared with one another, whatever the IDs in their paths', async () => {
	await paper.begin();
	const items = paper.drafts(150).map(({ id }) => ({ json: { id } }));
	suite.service.calls.length = 0;
	const { error } = await suite.run(
		{ resource: 'document', operation: 'getAuditLog', documentId: byId('={{ $json.id }}') },
		items,
	);
	expect(error).toBeUndefined();
	expect(lines(suite.service)).toHaveLength(150);
	expect(suite.service.maxInFlight).toBeLessThanOrEqual(16);
});
