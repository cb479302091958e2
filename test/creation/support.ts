import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import type { Answer, EmulatorOptions } from '../../emulator';
import { clock } from '../../nodes/shared/api/clock';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { credentialFor } from '../support/service';
import { contract, fillFromRow, tenants, useService } from '../support/suite';

export const CREATE = 'POST /envelope/create';
export const SEND = 'POST /envelope/distribute';
export const LIST = 'GET /envelope';

/** How long nothing is created again after an unknown outcome, in milliseconds. */
export const SETTLED = 120_000;

export const json = (status: number, body: unknown): Answer => ({
	status,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify(body),
});
export const page = (status: number): Answer => ({
	status,
	headers: { 'content-type': 'text/html' },
	body: '<html><body>Please wait</body></html>',
});
export const REFUSED = json(400, refusal('No').body);
export const LOST: Answer = { status: 504, body: '' };

/** The pauses that the node, and the local Documenso, have made since a test began, in milliseconds. */
export function usePauses() {
	let pauses: number[] = [];
	let sleep = clock.sleep;
	beforeEach(() => {
		pauses = [];
		sleep = clock.sleep;
		clock.sleep = async (milliseconds, signal) => {
			pauses.push(milliseconds);
			await sleep(milliseconds, signal);
		};
	});
	afterEach(() => void (clock.sleep = sleep));
	return () => pauses;
}

export const oneAfterAnother = { options: { maxInFlight: 1 } };
export const continued = { onError: 'continueRegularOutput' } as const;

/** Fills the rental agreement in, with this choice for documents that exist. */
export const choosing = (ifExternalIdExists: string, changes: IDataObject = {}): IDataObject => ({
	...fillFromRow,
	...changes,
	additionalFields: { ifExternalIdExists },
});

/** The rows of a sheet with a column External ID: `A-0`, `A-1` … */
export const sheet = (count: number, from = 0): INodeExecutionData[] =>
	tenants(from + count)
		.slice(from)
		.map(({ json: cells }, row) => ({ json: { ...cells, 'External ID': `A-${from + row}` } }));

/** Rows with a file each, and what makes documents for the same tenants of them. */
export const files = async (count: number) =>
	await Promise.all(
		tenants(count).map(
			async (_, row) => await itemWith({ data: { content: await pdf() } }, { row }),
		),
	);
export const fromFile: IDataObject = {
	...{ resource: 'document', operation: 'createAndSend', ...contract },
	recipients: {
		recipient: [{ email: '=tenant{{ $json.row }}@example.com', name: 'Tenant', role: 'SIGNER' }],
	},
};

/** The number of the tenant whom a request is about. */
export const rowIn = (text: string) => Number(/tenant(\d+)@/.exec(text)?.[1]);

export const said = (error?: { message?: string; description?: string | null }) =>
	`${error?.message ?? ''} ${error?.description ?? ''}`;

/** The output of the node's last turn. */
export const outputsOf = ({ data }: IRun, name = 'Documenso') =>
	(data.resultData.runData[name]?.at(-1)?.data?.main?.[0] ?? []).map((item) => item.json);

/** The demo's templates at a service that no test is too fast for. */
export function useCreation(options: EmulatorOptions = {}) {
	const rateLimit = { limit: 1_000_000, windowMs: 60_000 };
	const suite = useService({ seed: 'demo', rateLimit, ...options });
	const { documents } = suite;

	/** The first recipient of a document. */
	const tenantOf = (id: unknown) =>
		documents().find((document) => document.id === id)?.recipients[0]?.email;

	return Object.assign(suite, {
		tenantOf,
		tenantsOf: (outputs: IDataObject[]) => outputs.map(({ id }) => tenantOf(id)),
		statuses: () => documents().map(({ status }) => status),
		externalIds: () => documents().map(({ externalId }) => externalId),
		idOf: (tenant: number) =>
			documents().find(({ recipients: [first] }) => first?.email === `tenant${tenant}@example.com`)
				?.id,
		credential: (changes = {}) => credentialFor(suite.service, changes),
		/** Makes a folder for documents. */
		folder: async (name: string) => {
			const [made] = await suite.outputOf({ resource: 'folder', operation: 'create', name });
			return made?.id as string;
		},
	});
}
