import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import type { Envelope } from '../../emulator/entities';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node.ts';
import { pollContext, runPolled, type Credential, type PollSetup } from './n8n';
import { credentialFor, type Service } from './service';
import type { Suite } from './suite';
import { inFreshProcess } from './freshProcess';

export const EVERY_EVENT = [
	'DOCUMENT_CREATED',
	'DOCUMENT_SENT',
	'DOCUMENT_COMPLETED',
	'DOCUMENT_REJECTED',
	'DOCUMENT_CANCELLED',
];

let pollers = 0;

/** How n8n keeps what polls leave: in memory until something has it stored; with durable poll jobs, not even so; or in cursors. */
type Keeping = 'memory' | 'jobs' | 'cursors';

/** A workflow with the polling trigger. */
export class Poller {
	readonly workflowId = `workflow ${++pollers}`;
	/** Its name in the workflow. */
	name = 'Documenso Polling Trigger';
	keeping: Keeping = 'memory';
	/** What n8n has for the workflow in its process. */
	stored: IDataObject = {};
	/** The same in its database. */
	saved: IDataObject = {};
	cursor?: IDataObject;
	parameters: IDataObject = { events: EVERY_EVENT };
	credential: Credential;
	/** How many n8n has started. */
	executions = 0;
	/** What n8n shows beside the output of the last execution. */
	hints: string[] = [];
	private trigger = new DocumensoPollingTrigger();
	private context?: ReturnType<typeof pollContext>['context'];

	constructor(service: Service) {
		this.credential = credentialFor(service);
	}

	/** What n8n has stored of the last look. */
	get state(): string {
		const { state } = this.entry();
		if (state === undefined) throw new Error('Nothing is stored');
		return state;
	}

	set state(text: string) {
		this.entry().state = text;
	}

	private entry(): { state?: string } {
		const all = (this.stored.global ??= {}) as Record<string, { state?: string }>;
		return (all['documenso looks id of the polling trigger'] ??= {});
	}

	/** n8n starts again. */
	restart() {
		this.trigger = freshTrigger();
		this.context = undefined;
		this.stored = structuredClone(this.saved);
	}

	/** The workflow is published with a new name of the node. */
	rename(name: string) {
		this.name = name;
		this.loadAgain();
	}

	/** As when n8n publishes the workflow again: it reads what is stored. */
	loadAgain() {
		this.context = undefined;
		this.stored = structuredClone(this.saved);
	}

	/** A poll of which n8n drops the result, because the workflow is published again meanwhile or its database fails. */
	async dropped(): Promise<void> {
		const { stored, saved, cursor } = structuredClone({
			...{ stored: this.stored, saved: this.saved, cursor: this.cursor },
		});
		const { context } = this.contextFor({}, structuredClone(stored), structuredClone(cursor));
		const output = await this.trigger.poll.call(context);
		if (!output) throw new Error('It has reported nothing');
		Object.assign(this, { stored, saved, cursor });
	}

	/** The poll that n8n makes when the workflow is published. Returns what it reports. */
	async publish(): Promise<string[]> {
		return (await this.poll({}, true)).map(inBrief);
	}

	/** What the poll's execution would begin with. */
	async poll(setup: PollSetup = {}, isPublishing = false): Promise<IDataObject[]> {
		if (setup.mode === 'manual') return await this.tried();
		const { keeping } = this;
		if (keeping !== 'memory') this.stored = structuredClone(this.saved);
		if (keeping === 'cursors') this.cursor ??= structuredClone(this.ofNode());
		const cursor = structuredClone(this.cursor);
		const started: INodeExecutionData[][] = [];
		const emit = (data: INodeExecutionData[][]) => void started.push(...data);
		const { context, workflow } = this.contextFor({ emit, ...setup }, this.stored, cursor);
		const output = await this.trigger.poll.call(context);
		this.stored = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
		if (output?.length === 0 || output?.[0]?.length === 0) {
			throw new Error('n8n would start an execution without items');
		}
		if (output) started.push(...output);
		if (started.length > 0 || isPublishing) this.saved = structuredClone(this.stored);
		if (started.length > 0 || !isPublishing) this.cursor = cursor;
		return await this.executed(started.flat(), 'trigger');
	}

	private contextFor(setup: PollSetup, staticData: IDataObject, cursor?: IDataObject) {
		const { workflowId, name, credential, parameters } = this;
		const place = { workflowId, name, staticData, cursor };
		const { context, workflow } = pollContext(credential, parameters, { ...place, ...setup });
		// Poll jobs have a context each; otherwise, all polls have that of publishing.
		if (this.keeping !== 'memory') return { context, workflow };
		this.context = Object.assign(this.context ?? context, context);
		return { context: this.context, workflow };
	}

	private ofNode(): IDataObject {
		return (this.saved[`node:${this.name}`] ?? {}) as IDataObject;
	}

	/** A test in the editor, which executes the node alone. */
	private async tried(): Promise<IDataObject[]> {
		return await this.executed([{ json: {} }], 'manual');
	}

	/** What the execution that begins with these items gives to the next node. */
	private async executed(items: INodeExecutionData[], mode: 'trigger' | 'manual') {
		if (items.length === 0 && mode === 'trigger') return [];
		const { workflowId, name, saved: staticData } = this;
		const place = { workflowId, name, staticData };
		if (mode === 'trigger') this.executions++;
		const run = await runPolled(this.credential, this.parameters, [items], mode, place);
		this.saved = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		if (run.error) throw run.error;
		this.hints = run.hints;
		return run.items.map(({ json }) => json);
	}

	/** The same as texts such as `DOCUMENT_SENT Lease`, in order. */
	async reported(setup: PollSetup = {}): Promise<string[]> {
		return (await this.poll(setup)).map(inBrief);
	}
}

function inBrief({ event, document }: IDataObject): string {
	return `${event as string} ${(document as IDataObject).title as string}`;
}

type Nodes = typeof import('../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node.ts');

/** The trigger as a process of n8n has it that has just started: it remembers nothing. */
function freshTrigger(): DocumensoPollingTrigger {
	const load = () =>
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		require('../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node.ts') as Nodes;
	return new (inFreshProcess(load).DocumensoPollingTrigger)();
}

/** Lets something happen at the service just before it answers a call, for example `GET /envelope?page=2`. */
export function beforeCall(service: Service, action: (line: string) => void) {
	return service.intercept('*', ({ line, query }) => {
		action(`${line}?${query.toString()}`);
		return undefined;
	});
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
		const createdAt = changes.createdAt ?? new Date(clock.now());
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

	function send(document: Envelope, at = new Date(clock.now())) {
		Object.assign(document, { status: 'PENDING', updatedAt: at });
	}

	function finish(
		document: Envelope,
		status: 'COMPLETED' | 'REJECTED' | 'CANCELLED' = 'COMPLETED',
		at = new Date(clock.now()),
	) {
		Object.assign(document, { status, updatedAt: at, completedAt: at });
	}

	/** As the service deletes: what is open vanishes, what is finished is hidden. */
	function remove(document: Envelope, at = new Date(clock.now())) {
		if (document.completedAt) Object.assign(document, { deletedAt: at, updatedAt: at });
		else suite.service.store.envelopes.delete(document.id);
	}

	return { begin, draft, drafts, send, finish, remove };
}

/** A folder for documents at the service. */
export function folder(service: Service, name: string): string {
	const { store } = service;
	const id = store.ids.cuid();
	const now = new Date(clock.now());
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
	return new Date(clock.now() - minutes * 60_000);
}
