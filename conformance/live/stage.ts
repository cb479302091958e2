import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { apiRoot, siteRoot } from '../../nodes/shared/api/baseUrl';
import { envelopeSchema, numberIn, type Envelope } from '../../nodes/shared/api/envelope';
import { EMAILS } from '../../nodes/shared/inputs/optionLists';
import type { Paper, Stage } from '../../test/support/happyPaths';
import {
	documenso,
	execute,
	itemWith,
	resumeWaiting,
	type Credential,
} from '../../test/support/n8n';
import { pdf } from '../../test/support/pdf';
import { byId, contract } from '../../test/support/suite';

/** Documenso finishes documents a few seconds after the last recipient. */
const FINISHED_WITHIN_MS = 60_000;

const TYPES = ['DOCUMENT', 'TEMPLATE'] as const;
type Type = (typeof TYPES)[number];

const signature = contract.fields.field;
const place = { page: 1, positionX: 10, positionY: 60, width: 30, height: 6 };

/**
 * A real Documenso. Everything that a run creates is in two folders of the run, or has the name of the run in its title:
 * nothing else is read, and by these it is found again to be deleted.
 */
export class LiveStage implements Stage {
	readonly folders = { DOCUMENT: '', TEMPLATE: '' };
	private readonly name = `n8n test ${randomBytes(4).toString('hex')}`;

	constructor(private readonly credential: Credential) {}

	async open() {
		for (const type of TYPES) {
			const create = { resource: 'folder', operation: 'create', name: this.name, type };
			const { id } = await this.one(create);
			const ids = await this.ownFolders(type);
			// Without it, operations would search everything that the token can see.
			if (!ids.includes(id)) throw new Error('Documenso lacks the folder that it says it created');
			this.folders[type] = id as string;
		}
	}

	/** Reads without the node, so that what the node reports can be compared. */
	async read(path: string, body?: IDataObject): Promise<IDataObject | undefined> {
		const { baseUrl, apiToken } = this.credential;
		const response = await fetch(`${apiRoot(siteRoot(baseUrl))}${path}`, {
			headers: { authorization: apiToken, 'content-type': 'application/json' },
			...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
		});
		if (response.status === 404) return undefined;
		const text = await response.text();
		if (!response.ok) throw new Error(`${path} answers ${response.status}: ${text.slice(0, 200)}`);
		return JSON.parse(text) as IDataObject;
	}

	/** Runs the node, and returns its output at the end: an execution that waits is woken. */
	async outputOf(parameters: IDataObject, items: INodeExecutionData[] = [{ json: {} }]) {
		const node = documenso(parameters);
		const run = await execute(this.credential, [node], items);
		if (run.data.resultData.error) throw run.data.resultData.error;
		const output = outputIn(run);
		if (run.status !== 'waiting') return output;
		for (const document of output) await this.endWaiting(document);
		const { workflowData } = await resumeWaiting(this.credential, node, run);
		if (!workflowData) throw new Error('The execution goes on waiting although all is finished');
		return workflowData.flat().map(({ json }) => json);
	}

	contract(type: Type) {
		// Documenso sends no emails: nobody has these addresses.
		const additionalFields = {
			folderId: this.folders[type],
			distributionMethod: 'NONE',
			emailsOff: EMAILS.map(({ value }) => value),
		};
		return { ...contract, title: this.name, additionalFields };
	}

	async document(operation: 'create' | 'createAndSend' = 'create') {
		return await this.make({ resource: 'document', operation, ...this.contract('DOCUMENT') });
	}

	/** Its only recipient gets a copy: nobody has to sign it. */
	async completed() {
		const document = await this.make({
			resource: 'document',
			operation: 'create',
			...this.contract('DOCUMENT'),
			recipients: { recipient: [{ email: 'tenant@example.com', name: 'Tina', role: 'CC' }] },
			fields: {},
		});
		await this.one({ resource: 'document', operation: 'send', documentId: byId(document.id) });
		await this.reached(document.id, 'COMPLETED');
		return document;
	}

	async template() {
		const tenant = { email: 'recipient.1@documenso.com', name: 'Tenant', role: 'SIGNER' };
		const rent = { recipient: 'r1', type: 'NUMBER', ...place, options: { label: 'Rent' } };
		const { id, secondaryId } = await this.make({
			resource: 'template',
			operation: 'create',
			...this.contract('TEMPLATE'),
			recipients: { recipient: [tenant] },
			fields: { field: [...signature, rent] },
		});
		return { id, legacyId: numberIn(secondaryId) };
	}

	/** Deletes all that the run has made. Returns what is left, and why. */
	async close(): Promise<string[]> {
		const left: string[] = [];
		for (const type of TYPES) {
			const list = async () => await this.ownEnvelopes(type);
			left.push(...(await this.deleteAll(type.toLowerCase(), list)));
		}
		for (const type of TYPES) {
			const list = async () => await this.ownFolders(type);
			left.push(...(await this.deleteAll('folder', list)));
		}
		return left;
	}

	/** Deletes what is listed, and returns what is still listed then: a folder takes those inside it with it. */
	private async deleteAll(resource: string, list: () => Promise<unknown[]>): Promise<string[]> {
		const reasons = new Map<unknown, string>();
		try {
			for (const id of await list()) {
				const remove = { resource, operation: 'delete', [`${resource}Id`]: byId(id) };
				await this.outputOf(remove).catch((error: unknown) => {
					reasons.set(id, (error as Error).message);
				});
			}
			const why = (id: unknown) => reasons.get(id) ?? 'Documenso has not deleted it';
			return (await list()).map((id) => `${resource} ${String(id)}: ${why(id)}`);
		} catch (error) {
			return [`${resource}s in "${this.name}": ${(error as Error).message}`];
		}
	}

	/** Copies, and what was moved, are in the root. */
	private async ownEnvelopes(type: Type): Promise<unknown[]> {
		const inRoot = await this.idsAt('/envelope', { type, query: this.name });
		const folderId = this.folders[type];
		return folderId ? [...inRoot, ...(await this.idsAt('/envelope', { type, folderId }))] : inRoot;
	}

	private async ownFolders(type: Type): Promise<unknown[]> {
		return await this.idsAt('/folder', { type, query: this.name });
	}

	private async idsAt(path: string, query: Record<string, string>): Promise<unknown[]> {
		const ids: unknown[] = [];
		for (let page = 1, pages = 1; page <= pages; page++) {
			const search = new URLSearchParams({ ...query, perPage: '100', page: String(page) });
			const list = await this.read(`${path}?${search.toString()}`);
			// Nothing that was made would be missed, or deleted.
			if (!list) throw new Error(`${path} answers 404: is the base URL right?`);
			const { data = [], totalPages = 0 } = list;
			ids.push(...(data as IDataObject[]).map(({ id }) => id));
			pages = totalPages as number;
		}
		return ids;
	}

	private async one(parameters: IDataObject, items?: INodeExecutionData[]): Promise<IDataObject> {
		const [output] = await this.outputOf(parameters, items);
		if (!output) throw new Error('The operation returned nothing');
		return output;
	}

	private async make(parameters: IDataObject): Promise<Paper & Envelope> {
		const item = await itemWith({ data: { content: await pdf('A lease', 'Page two') } });
		const { id } = await this.one(parameters, [item]);
		const envelope = await this.envelope(parameters.resource as string, id as string);
		return { ...envelope, items: envelope.envelopeItems };
	}

	private async envelope(resource: string, id: string): Promise<Envelope> {
		const get = { resource, operation: 'get', output: 'raw', [`${resource}Id`]: byId(id) };
		return envelopeSchema.parse(await this.one(get));
	}

	private async endWaiting({ id, recipients }: IDataObject) {
		const { status } = await this.envelope('document', id as string);
		if (status !== 'PENDING') throw new Error(`The execution waits, but the document is ${status}`);
		const [signer] = recipients as IDataObject[];
		await this.one({
			resource: 'recipient',
			operation: 'rejectOnBehalf',
			documentId: byId(id),
			recipientId: byId(signer?.id),
			reason: 'The wait has to end',
		});
		await this.reached(id as string, 'REJECTED');
	}

	private async reached(id: string, status: string) {
		const deadline = Date.now() + FINISHED_WITHIN_MS;
		while ((await this.envelope('document', id)).status !== status) {
			if (Date.now() > deadline) {
				throw new Error(`The document is not ${status} after ${FINISHED_WITHIN_MS / 1000} s`);
			}
			await sleep(200);
		}
	}
}

function outputIn({ data }: IRun): IDataObject[] {
	const last = Object.values(data.resultData.runData).at(-1)?.at(-1);
	return last?.data?.main?.[0]?.map(({ json }) => json) ?? [];
}
