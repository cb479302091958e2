import { unlimited } from '../services.mjs';
import { documenso, httpRequest, splitOut } from '../subjects/nodes.mjs';
import { workflow } from '../subjects/workflow.mjs';
import { thisNode } from '../targets.mjs';

const perPage = 100;

const listAll = workflow(thisNode, (testbed) => [
	documenso(testbed, {
		resource: 'document',
		operation: 'getAll',
		returnAll: true,
		simplify: false,
	}),
]);

const pageByPage = workflow('HTTP Request, pagination', (testbed) => [
	httpRequest(testbed, 'GET', `/envelope?type=DOCUMENT&perPage=${perPage}`, {
		options: { pagination: { pagination } },
	}),
	splitOut('Documents', 'data'),
]);

const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.currentPage >= $response.body.totalPages }}',
	limitPagesFetched: false,
};

export const list = {
	name: 'list',
	title: 'List 10,000 documents',
	service: unlimited,
	size: 10_000,
	warmUpSize: 200,
	runs: 2,
	prepare: async ({ emulator, templates }, size) => {
		await emulator.makeDocuments(templates.rentalAgreement.id, size);
		return [{}];
	},
	subjects: [listAll, pageByPage],
	columns: ['ms', 'ratio', 'peakMb', 'requests', 'maxInFlight', 'sockets'],
};
