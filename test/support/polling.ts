import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node.ts';
import { pollContext, runPolled, type Credential, type PollSetup } from './n8n';
import { credentialFor, type Service } from './service';
import type { Suite } from './suite';

export const EVERY_EVENT = [
	'DOCUMENT_CREATED',
	'DOCUMENT_SENT',
	'DOCUMENT_COMPLETED',
	'DOCUMENT_REJECTED',
	'DOCUMENT_CANCELLED',
];

/** A workflow with the polling trigger, whose stored data n8n writes down and reads again between two polls. */
export class Poller {
	stored: IDataObject = {};
	parameters: IDataObject = { events: EVERY_EVENT };
	credential: Credential;
	/** What n8n shows beside the output of the last execution. */
	hints: string[] = [];

	constructor(service: Service) {
		this.credential = credentialFor(service);
	}

	/** What the poll's execution would begin with. */
	async poll(setup: PollSetup = {}): Promise<IDataObject[]> {
		if (setup.mode === 'manual') return await this.tried();
		const { context, workflow } = pollContext(this.credential, this.parameters, {
			staticData: this.stored,
			...setup,
		});
		const output = await new DocumensoPollingTrigger().poll.call(context);
		this.stored = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
		if (output?.length === 0 || output?.[0]?.length === 0) {
			throw new Error('n8n would start an execution without items');
		}
		return await this.executed((output ?? []).flat(), 'trigger');
	}

	/** A test in the editor, which executes the node alone. */
	private async tried(): Promise<IDataObject[]> {
		return await this.executed([{ json: {} }], 'manual');
	}

	/** What the execution that begins with these items gives to the next node. */
	private async executed(items: INodeExecutionData[], mode: 'trigger' | 'manual') {
		if (items.length === 0 && mode === 'trigger') return [];
		const run = await runPolled(this.credential, this.parameters, [items], mode);
		if (run.error) throw run.error;
		this.hints = run.hints;
		return run.items.map(({ json }) => json);
	}

	/** The same as texts such as `DOCUMENT_SENT Lease`, in order. */
	async reported(setup: PollSetup = {}): Promise<string[]> {
		return (await this.poll(setup)).map(
			({ event, document }) => `${event as string} ${(document as IDataObject).title as string}`,
		);
	}
}

/** Lets something happen at the service just before it answers a call, for example `GET /envelope?page=2`. */
export function beforeCall(service: Service, action: (line: string) => void) {
	const push = service.calls.push.bind(service.calls);
	service.calls.push = (...calls) => {
		for (const { method, path, query } of calls) {
			action(`${method} ${path}?${new URLSearchParams(query).toString()}`);
		}
		return push(...calls);
	};
	return () => void (service.calls.push = push);
}

type Changes = Partial<Envelope>;

/** Creates and changes documents at the service itself, which is faster than requests. */
export function paperwork(suite: Suite) {
	let model: Envelope | undefined;

	/** Keeps one document as the model of all others, and removes it from the service. */
	async function begin() {
		model = await suite.document();
		suite.service.store.envelopes.delete(model.id);
	}

	function draft(title: string, changes: Changes = {}): Envelope {
		if (!model) throw new Error('There is no model to copy');
		const { store } = suite.service;
		const createdAt = changes.createdAt ?? new Date();
		const document: Envelope = {
			...model,
			id: store.ids.envelope(),
			legacyId: store.ids.next('document'),
			title,
			createdAt,
			updatedAt: createdAt,
			recipients: model.recipients.map((recipient) => ({
				...recipient,
				id: store.ids.next('recipient'),
				token: store.ids.signingToken(),
			})),
			...changes,
		};
		store.envelopes.set(document.id, document);
		return document;
	}

	function drafts(count: number, titleOf = (index: number) => `D${index}`, changes: Changes = {}) {
		return Array.from({ length: count }, (_, index) => draft(titleOf(index), changes));
	}

	function send(document: Envelope, at = new Date()) {
		Object.assign(document, { status: 'PENDING', updatedAt: at });
	}

	function finish(
		document: Envelope,
		status: 'COMPLETED' | 'REJECTED' | 'CANCELLED' = 'COMPLETED',
		at = new Date(),
	) {
		Object.assign(document, { status, updatedAt: at, completedAt: at });
	}

	/** As the service deletes: what is open vanishes, what is finished is hidden. */
	function remove(document: Envelope, at = new Date()) {
		if (document.completedAt) Object.assign(document, { deletedAt: at, updatedAt: at });
		else suite.service.store.envelopes.delete(document.id);
	}

	return { begin, draft, drafts, send, finish, remove };
}

/** A folder for documents at the service. */
export function folder(service: Service, name: string): string {
	const { store } = service;
	const id = store.ids.cuid();
	const now = new Date();
	store.folders.set(id, {
		id,
		name,
		userId: 1,
		teamId: 1,
		parentId: null,
		pinned: false,
		createdAt: now,
		updatedAt: now,
		visibility: 'EVERYONE',
		type: 'DOCUMENT',
	});
	return id;
}

/** Minutes ago. */
export function ago(minutes: number): Date {
	return new Date(Date.now() - minutes * 60_000);
}
