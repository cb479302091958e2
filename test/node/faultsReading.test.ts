import type { INodeExecutionData } from 'n8n-workflow';

import {
	asRead,
	complaintsAbout,
	drafts,
	isTheFile,
	ofRow,
	type Scenario,
} from '../support/faultMatrix';
import { bytesOf } from '../support/n8n';
import type { RequestFault } from '../support/requestFaults';
import type { Service } from '../support/service';
import { hurry } from '../support/hurry';

hurry();

const titled = (row: number, output: INodeExecutionData[]) =>
	output.filter(({ json }) => json.title === `Row ${row}`);
const timesPutOut = (_: Service, row: number, output: INodeExecutionData[]) =>
	titled(row, output).length;
const oneDraft = async (service: Service) => (await drafts(service)).slice(0, 1);

/** The node does not retry a download that breaks off; only n8n does. */
const asDownload = (fault: RequestFault, isRetried: boolean) =>
	fault.fault.cut === 'during' ? isRetried : asRead(fault, isRetried);

const SCENARIOS: Record<string, Scenario> = {
	'Document: Get, a row alone': {
		parameters: { ...ofRow, operation: 'get' },
		hit: { 'GET /envelope/*': asRead },
		isRead: true,
		prepare: oneDraft,
		times: timesPutOut,
	},
	'Document: Get, all rows in one request': {
		parameters: { ...ofRow, operation: 'get' },
		hit: { 'POST /envelope/get-many': asRead },
		isRead: true,
		prepare: drafts,
		times: timesPutOut,
	},
	'Document: Get Many': {
		parameters: { resource: 'document', operation: 'getAll', searchIn: 'root', returnAll: true },
		hit: { 'GET /envelope': asRead },
		isRead: true,
		prepare: oneDraft,
		times: timesPutOut,
	},
	'Document: Download': {
		parameters: { ...ofRow, operation: 'download', version: 'original' },
		hit: { 'GET /envelope/envelope_*': asRead, 'GET /envelope/item/*': asDownload },
		isRead: true,
		prepare: drafts,
		times: async (_, row, output) => {
			const files = await Promise.all(titled(row, output).map(async (item) => await bytesOf(item)));
			const areRight = await Promise.all(files.map(isTheFile));
			return areRight.filter(Boolean).length;
		},
	},
};

test('whatever happens to a request that reads: no row is lost or wrong, and what passes is got over', async () => {
	expect(await complaintsAbout(SCENARIOS)).toEqual([]);
}, 180_000);
