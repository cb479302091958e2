import { withRoom } from '../services.mjs';
import { bareClient } from '../subjects/bareClient.mjs';
import { byId, documenso, httpRequest } from '../subjects/nodes.mjs';
import { workflow } from '../subjects/workflow.mjs';
import { thisNode } from '../targets.mjs';

/** As many as the service takes in one request. */
const idsPerRequest = 20;
const ceiling = 32;

const read = workflow(thisNode, (lab) => [
	documenso(lab, { resource: 'document', operation: 'get', documentId: byId('={{ $json.id }}') }),
]);

const httpRequests = workflow('HTTP Request', (lab) => [
	httpRequest(lab, 'GET', '/envelope/{{ $json.id }}'),
]);

const limit = {
	...bareClient(`bare client, ${ceiling} at once`, ceiling, (items) => requestsFor(items)),
	note: 'the limit',
};

function requestsFor(items) {
	const ids = items.map(({ id }) => id);
	const requests = [];
	while (ids.length > 0) {
		const body = { ids: { type: 'envelopeId', ids: ids.splice(0, idsPerRequest) } };
		requests.push({ method: 'POST', path: '/envelope/get-many', body });
	}
	return requests;
}

export const readById = {
	name: 'read',
	title: 'Read 1,000 documents by id',
	service: withRoom,
	size: 1000,
	warmUpSize: 50,
	runs: 3,
	prepare: async ({ emulator, templates }, size) => {
		const ids = await emulator.makeDocuments(templates.rentalAgreement.id, size);
		return ids.map((id) => ({ id }));
	},
	subjects: [read, httpRequests, limit],
	columns: ['ms', 'ratio', 'peakMb', 'requests', 'maxInFlight', 'sockets'],
	headline: { measure: 'ms', title: 'Time to read 1,000 documents by id' },
	targets: [{ says: 'requests', measure: 'requests', atMost: 50 }],
};
