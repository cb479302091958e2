import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { envelopeSchema, numberIn, type Envelope } from '../../nodes/Documenso/api/envelope';
import { EMAILS } from '../../nodes/Documenso/inputs/optionLists';
import type { Paper, Stage } from '../support/happyPaths';
import { documenso, execute, itemWith, resumeWaiting, type Credential } from '../support/n8n';
import { pdf } from '../support/pdf';
import { byId, contract } from '../support/suite';

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
			this.folders[type] = id as string;
		}
	}

	/** Runs the node, and returns its output at the end: an execution that waits is woken. */
	async outputOf(parameters: IDataObject, items: INodeExecutionData[] = [{ json: {} }]) {
		const node = documenso(parameters);
		const run = await execute(this.credential, [node], items);
		if (run.data.resultData.error) throw run.data.resultData.error;
		const output = outputIn(run);
		if (run.status !== 'waiting') return output;
		for (const document of output) await this.reject(document);
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
		const orLeft = async (what: string, work: Promise<unknown>) => {
			await work.catch((error: unknown) => left.push(`${what}: ${(error as Error).message}`));
		};
		for (const type of TYPES) await orLeft(`${type}s in "${this.name}"`, this.empty(type, orLeft));
		for (const id of Object.values(this.folders).filter(Boolean)) {
			const remove = { resource: 'folder', operation: 'delete', folderId: byId(id) };
			await orLeft(`folder ${id}`, this.outputOf(remove));
		}
		return left;
	}

	private async empty(type: Type, orLeft: (what: string, work: Promise<unknown>) => Promise<void>) {
		const resource = type.toLowerCase();
		const places = [
			// Copies, and what was moved, are in the root.
			{ searchIn: 'root', filters: { query: this.name } },
			...(this.folders[type] ? [{ searchIn: 'folder', folderId: byId(this.folders[type]) }] : []),
		];
		for (const where of places) {
			const list = { resource, operation: 'getAll', returnAll: true, ...where };
			for (const { id } of await this.outputOf(list)) {
				const remove = { resource, operation: 'delete', [`${resource}Id`]: byId(id) };
				await orLeft(`${resource} ${id as string}`, this.outputOf(remove));
			}
		}
	}

	private async one(parameters: IDataObject, items?: INodeExecutionData[]): Promise<IDataObject> {
		const [output] = await this.outputOf(parameters, items);
		if (!output) throw new Error('The operation returned nothing');
		return output;
	}

	private async make(parameters: IDataObject): Promise<Paper & Envelope> {
		const item = await itemWith({ data: { content: await pdf('A lease', 'Page two') } });
		const { id } = await this.one(parameters, [item]);
		const envelope = await this.read(parameters.resource as string, id as string);
		return { ...envelope, items: envelope.envelopeItems };
	}

	private async read(resource: string, id: string): Promise<Envelope> {
		const get = { resource, operation: 'get', output: 'raw', [`${resource}Id`]: byId(id) };
		return envelopeSchema.parse(await this.one(get));
	}

	private async reject({ id, recipients }: IDataObject) {
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
		while ((await this.read('document', id)).status !== status) {
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
