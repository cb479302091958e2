import { bareClient } from './bareClient.mjs';
import { byId, documenso, httpRequest, jsonBody } from './nodes.mjs';
import { workflow } from './workflow.mjs';
import { thisNode } from '../targets.mjs';

/** The node's default for its maximum of concurrent requests. */
const concurrency = 32;

/** Rows of a spreadsheet whose columns are named like the recipients and fields of the template. */
export function rowsOf(count) {
	return Array.from({ length: count }, (_, index) => ({
		// None is the beginning of another, so that a search for one finds no others.
		'External ID': `row-${`${index + 1}`.padStart(5, '0')}`,
		'Tenant email': `tenant${index + 1}@example.com`,
		'Tenant name': `Tenant ${index + 1}`,
		Address: `Flat ${index + 1}, 12 Quay Street, Bristol`,
		'Start date': '2027-02-01',
		Rent: `${900 + index}`,
		Payment: 'Bank transfer',
	}));
}

/** The request for one row, as the node sends it with its default options. */
function payloadOf({ id, tenantId, fields }, cell) {
	return {
		envelopeId: id,
		externalId: cell('External ID'),
		distributeDocument: true,
		recipients: [
			{
				id: tenantId,
				email: cell('Tenant email'),
				name: cell('Tenant name'),
				signingOrder: 1,
			},
		],
		prefillFields: [
			{ id: fields.address, type: 'text', label: 'Address', value: cell('Address') },
			{ id: fields.startDate, type: 'date', value: cell('Start date') },
			{ id: fields.rent, type: 'number', label: 'Rent', value: cell('Rent') },
			{ id: fields.payment, type: 'dropdown', label: 'Payment', value: cell('Payment') },
		],
	};
}

export const fillTemplate = workflow(thisNode, (testbed) => [createDocument(testbed, {})]);

/** As a workflow that runs again on a schedule should do it: a row that has a document gets no second one. */
export const skipExisting = (testbed) => [
	createDocument(testbed, { additionalFields: { ifExternalIdExists: 'skip' } }),
];

export function createDocument(testbed, parameters) {
	return documenso(testbed, {
		resource: 'template',
		operation: 'createDocument',
		templateId: byId(testbed.templates.rentalAgreement.id),
		columns: { mappingMode: 'autoMapInputData', value: null },
		...parameters,
	});
}

export const httpRequests = requestEach('HTTP Request');

/** n8n's defaults for *Batching*. */
const batching = { batch: { batchSize: 50, batchInterval: 1000 } };

export const httpRequestsInBatches = {
	...requestEach('HTTP Request, batches of 50', { batching }),
	// Its pauses alone last 19 seconds.
	runs: 1,
};

export const httpRequestsRetried = requestEach(
	'HTTP Request, Retry On Fail',
	{},
	{ retryOnFail: true },
);

export const httpRequestsContinued = requestEach(
	'HTTP Request, On Error: Continue',
	{},
	{ onError: 'continueRegularOutput' },
);

function requestEach(name, options = {}, settings = {}) {
	return workflow(name, (testbed) => [createRequest(testbed, '$json', options, settings)]);
}

/** A request for each row, which an expression gives. */
export function createRequest(testbed, row, options, settings) {
	const payload = payloadOf(testbed.templates.rentalAgreement, (column) => `<${column}>`);
	const expression = JSON.stringify({ payload }).replace(/"<([^>]+)>"/g, `${row}["$1"]`);
	const parameters = { ...jsonBody(expression), options };
	return httpRequest(testbed, 'POST', '/envelope/use', parameters, settings);
}

/** Searches for the external ID of each row, and creates the documents of those that have none. */
export const searchEach = (options) => (testbed) => {
	const row = '$("Items").item.json';
	const query = '{{ encodeURIComponent($json["External ID"]) }}';
	const path = `/envelope?type=DOCUMENT&perPage=100&query=${query}`;
	const isThere = `$json.data.some(({ externalId }) => externalId === ${row}["External ID"])`;
	return [
		httpRequest(testbed, 'GET', path, { options }, { name: 'Search' }),
		{
			name: 'Rows Without Document',
			type: 'n8n-nodes-base.filter',
			typeVersion: 2.2,
			parameters: {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
					combinator: 'and',
					conditions: [
						{
							id: 'isThere',
							leftValue: `={{ ${isThere} }}`,
							rightValue: '',
							operator: { type: 'boolean', operation: 'false', singleValue: true },
						},
					],
				},
				options: {},
			},
		},
		createRequest(testbed, row, options),
	];
};

/** A pace that stays below the rate limit, if nothing else uses it. */
export const batchesASecond = (batchSize) => ({
	batching: { batch: { batchSize, batchInterval: 1000 } },
});

/** One request after the other. It takes so long that it processes only a `share` of the rows. */
export const sequentialLoop = (share) => ({
	...bareRequests('sequential loop', 1),
	note: 'a bare client, one request after the other',
	runs: 1,
	share,
});

export const concurrentClient = {
	...bareRequests(`bare client, ${concurrency} at once`, concurrency),
	note: 'the lower bound',
};

export const bareNode = workflow(
	`bare node, ${concurrency} at once`,
	({ apiUrl, credentials }) => [
		{
			name: 'Bare Requests',
			type: 'CUSTOM.bareRequests',
			typeVersion: 1,
			parameters: { url: `${apiUrl}/envelope/use`, atOnce: concurrency },
			credentials: credentials.documensoApi,
		},
	],
	{
		note: "the lower bound in n8n: a node that passes each request to n8n's helper and does nothing else",
		itemsOf: bodiesOf,
	},
);

function bareRequests(name, concurrency) {
	return bareClient(name, concurrency, (rows, testbed) =>
		bodiesOf(rows, testbed).map((body) => ({ method: 'POST', path: '/envelope/use', body })),
	);
}

function bodiesOf(rows, { templates }) {
	return rows.map((row) => ({
		payload: payloadOf(templates.rentalAgreement, (column) => row[column]),
	}));
}
