import { unlimited } from '../services.mjs';
import { bareClient } from '../subjects/bareClient.mjs';
import { byId, documenso, httpRequest } from '../subjects/nodes.mjs';
import { workflow } from '../subjects/workflow.mjs';
import { thisNode } from '../targets.mjs';

/** The most that the service accepts in one request. */
const idsPerRequest = 20;
const concurrency = 32;

const read = workflow(thisNode, (testbed) => [
	documenso(testbed, {
		resource: 'document',
		operation: 'get',
		documentId: byId('={{ $json.id }}'),
	}),
]);

const httpRequests = workflow('HTTP Request', (testbed) => [
	httpRequest(testbed, 'GET', '/envelope/{{ $json.id }}'),
]);

const concurrentClient = {
	...bareClient(`bare client, ${concurrency} at once`, concurrency, (items) => requestsFor(items)),
	note: 'the lower bound',
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
	service: unlimited,
	size: 1000,
	warmUpSize: 50,
	runs: 3,
	prepare: async ({ emulator, templates }, size) => {
		const ids = await emulator.makeDocuments(templates.rentalAgreement.id, size);
		return ids.map((id) => ({ id }));
	},
	subjects: [read, httpRequests, concurrentClient],
	columns: ['ms', 'ratio', 'peakMb', 'requests', 'maxInFlight', 'sockets'],
	headline: { metric: 'ms', title: 'Time to read 1,000 documents by id' },
	targets: [{ label: 'requests', metric: 'requests', atMost: 50 }],
};
