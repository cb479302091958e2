import { EventEmitter } from 'node:events';
import 'reflect-metadata';

import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	CredentialTestContext,
	ExecuteContext,
	ExecutionLifecycleHooks,
	HookContext,
	LoadOptionsContext,
	PollContext,
	SupplyDataContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	BINARY_IN_JSON_PROPERTY,
	BINARY_MODE_COMBINED,
	createRunExecutionData,
	NodeConnectionTypes,
	NodeHelpers,
	setSafeRegexEngine,
	Workflow,
} from 'n8n-workflow';
import type {
	ICredentialsHelper,
	IConnections,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IPollFunctions,
	IRun,
	IRunExecutionData,
	ITaskDataConnections,
	IWebhookResponseData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';
// With their ending: without it, tsx takes `.node` for a native module.
import { Documenso } from '../../nodes/Documenso/Documenso.node.ts';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node.ts';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node.ts';
import './history';
import { filesInS3 } from './s3';

export const NODE_TYPE = 'n8n-nodes-documenso.documenso';
export const TRIGGER_TYPE = 'n8n-nodes-documenso.documensoTrigger';
export const POLLING_TYPE = 'n8n-nodes-documenso.documensoPollingTrigger';

/** What a user enters in the credential. */
export interface Credential {
	baseUrl: string;
	apiToken: string;
	webhookSecret: string;
	webhookHeader: string;
}

/** Hands its items on; stands for whatever comes before our node. */
class Source implements INodeType {
	description = {
		...new Documenso().description,
		name: 'source',
		displayName: 'Source',
		credentials: [],
		properties: [],
	};

	async execute(this: { getInputData(): INodeExecutionData[] }) {
		return [this.getInputData()];
	}
}

const types: Record<string, INodeType> = {
	source: new Source(),
	[NODE_TYPE]: new Documenso(),
	[TRIGGER_TYPE]: new DocumensoTrigger(),
	[POLLING_TYPE]: new DocumensoPollingTrigger(),
	/** The node as n8n gives it to agents, as a tool. */
	[`${NODE_TYPE}Tool`]: new Documenso(),
};

/** A type of node that only one suite has. */
export function addNodeType(name: string, type: INodeType) {
	types[name] = type;
}

/** Without n8n's limit of 250 ms for each pattern, which a busy machine may exceed without any fault of the pattern's. */
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
	matchAll: (pattern, input, flags) => [...input.matchAll(new RegExp(pattern, `${flags ?? ''}g`))],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

const nodeTypes = nodeTypesWith({});

/** The types of nodes of a process that has some of its own. */
function nodeTypesWith(own: Record<string, INodeType>): INodeTypes {
	return {
		getByName: (name) => own[name] ?? typeOf(name),
		getByNameAndVersion: (name) => own[name] ?? typeOf(name),
		getKnownTypes: () => ({}),
	};
}

function typeOf(name: string): INodeType {
	const type = types[name];
	if (!type) throw new Error(`The test has no node type ${name}`);
	return type;
}

/** n8n's own way with a credential that authenticates by a function. */
function credentialsHelper(credential: Credential): ICredentialsHelper {
	const { authenticate } = new DocumensoApi();
	if (typeof authenticate !== 'function') throw new Error('The credential is no function any more');
	const partial: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		getDecrypted: async () => ({ ...credential }),
		preAuthentication: async () => undefined,
		authenticate: async (data, _type, request) =>
			await authenticate(data, request as IHttpRequestOptions),
		isCredentialUsableByNode: () => true,
	};
	return partial as ICredentialsHelper;
}

function additionalData(credential: Credential, workflow: IWorkflowBase) {
	const hooks = new ExecutionLifecycleHooks('manual', '1', workflow);
	const partial: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: credentialsHelper(credential),
		executionId: `execution-${String(++executions)}`,
		restApiUrl: '',
		instanceBaseUrl: '',
		webhookBaseUrl: 'http://localhost/webhook',
		webhookTestBaseUrl: 'http://localhost/webhook-test',
		webhookWaitingBaseUrl: resumptionAddress,
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		variables: {},
		currentNodeExecutionIndex: 0,
	};
	return Object.assign(partial, { hooks }) as unknown as IWorkflowExecuteAdditionalData;
}

let executions = 0;

/** Where n8n resumes executions, as a node learns it. */
let resumptionAddress = 'http://localhost/webhook-waiting';

export function resumeAt(address: string) {
	resumptionAddress = address;
}

function nodeOf(name: string, type: string, parameters: IDataObject, extra: Partial<INode> = {}) {
	const node: INode = {
		id: `id-of-${name}`,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INodeParameters,
		credentials: { documensoApi: { id: '1', name: 'Documenso' } },
		...extra,
	};
	const defaults = NodeHelpers.getNodeParameters(
		typeOf(type).description.properties,
		node.parameters,
		true,
		false,
		node,
		typeOf(type).description,
	);
	return { ...node, parameters: defaults ?? {} };
}

function chain(nodes: INode[]): IConnections {
	return Object.fromEntries(
		nodes
			.slice(0, -1)
			.map((node, index) => [
				node.name,
				{ main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main' as const, index: 0 }]] },
			]),
	);
}

/**
 * Runs nodes one after another in a real workflow execution of n8n's, with `items` as first input; several
 * times over in one execution, as in a loop, when told.
 */
export async function execute(
	credential: Credential,
	nodes: INode[],
	items: INodeExecutionData[],
	turns = 1,
	mode: WorkflowExecuteMode = 'trigger',
): Promise<IRun> {
	return await beginExecution(credential, nodes, items, turns, mode).run;
}

/** The same while it runs, so that it can be cancelled. It is inside an object, because an async function would await it. */
export function beginExecution(
	credential: Credential,
	nodes: INode[],
	items: INodeExecutionData[],
	turns = 1,
	mode: WorkflowExecuteMode = 'trigger',
) {
	const workflow = workflowOf([nodeOf('Source', 'source', {}), ...nodes]);
	return { run: runOf(credential, workflow, mode, startOf(items, turns)) };
}

/** What n8n has saved of an execution when it begins. */
function startOf(items: INodeExecutionData[], turns = 1): IRunExecutionData {
	const source = nodeOf('Source', 'source', {});
	return createRunExecutionData({
		executionData: {
			nodeExecutionStack: Array.from({ length: turns }, () => ({
				node: source,
				data: { main: [items] },
				source: null,
			})),
		},
	});
}

/**
 * A retry of an execution during which n8n was killed, with as many turns. Versions before 2.40 have not saved when that
 * began.
 */
export async function retryCrashed(
	credential: Credential,
	nodes: INode[],
	items: INodeExecutionData[],
	{ data: { executionData: crashed } }: IRun,
	{ isStartKnown = true, turns = 1 } = {},
): Promise<IRun> {
	const data = startOf(items, turns);
	if (data.executionData && isStartKnown) data.executionData.runtimeData = crashed?.runtimeData;
	const workflow = workflowOf([nodeOf('Source', 'source', {}), ...nodes]);
	return await runOf(credential, workflow, 'retry', data);
}

/** n8n goes on from one wait for the second time, and reaches these nodes again, which know nothing of the first time. */
export async function continueAgain(
	credential: Credential,
	nodes: INode[],
	items: INodeExecutionData[],
	{ data: before }: IRun,
): Promise<IRun> {
	const data = startOf(items);
	if (data.executionData) data.executionData.runtimeData = before.executionData?.runtimeData;
	const workflow = workflowOf([nodeOf('Source', 'source', {}), ...nodes]);
	const executionId = executionIds.get(before);
	return await runOf(credential, workflow, 'trigger', data, { executionId });
}

/** A retry of a failed execution from the list of executions, as n8n's ExecutionService begins it from what was saved. */
export async function retryExecution(
	credential: Credential,
	nodes: INode[],
	{ data: failed }: IRun,
): Promise<IRun> {
	const data = structuredClone({ ...failed });
	const { lastNodeExecuted = '', runData } = data.resultData;
	delete data.resultData.error;
	if (runData[lastNodeExecuted]?.at(-1)?.error) runData[lastNodeExecuted].pop();
	const workflow = workflowOf([nodeOf('Source', 'source', {}), ...nodes]);
	// "Retry with currently saved workflow".
	for (const one of data.executionData?.nodeExecutionStack ?? []) {
		one.node = workflow.getNode(one.node.name) ?? one.node;
	}
	return await runOf(credential, workflow, 'retry', data);
}

function workflowOf(nodes: INode[]): Workflow {
	const settings: IWorkflowSettings = {
		executionOrder: 'v1',
		...(filesMode === 'combined' ? { binaryMode: BINARY_MODE_COMBINED } : {}),
	};
	const connections = chain(nodes);
	return new Workflow({ id: 'workflow', nodes, connections, active: false, nodeTypes, settings });
}

function runOf(
	credential: Credential,
	workflow: Workflow,
	mode: WorkflowExecuteMode,
	data: IRunExecutionData,
	changes: Partial<IWorkflowExecuteAdditionalData> = {},
) {
	const { settings } = workflow;
	const base = additionalData(credential, { settings } as unknown as IWorkflowBase);
	Object.assign(base, changes);
	const run = new WorkflowExecute(base, mode, data).processRunExecutionData(workflow);
	executionIds.set(data, base.executionId);
	underWay.add(run);
	const forget = () => void underWay.delete(run);
	run.then(forget, forget);
	return run;
}

/** Of each execution, by what n8n saves of it. */
const executionIds = new WeakMap<object, string | undefined>();

const underWay = new Set<ReturnType<WorkflowExecute['processRunExecutionData']>>();

/** Cancels the executions that a test has left behind, because it timed out. Returns whether there were any. */
export function cancelExecutions(): boolean {
	for (const run of underWay) run.cancel();
	return underWay.size > 0;
}

export interface Setup {
	name?: string;
	type?: string;
	onError?: INode['onError'];
	/** How often n8n runs the node at most, with Retry On Fail; once unless told. */
	maxTries?: number;
	/** How n8n was told to run the workflow; by a trigger unless told. */
	mode?: WorkflowExecuteMode;
	/** As for the tools of n8n's MCP Server Trigger. */
	hasNoExecution?: boolean;
}

export function documenso(
	parameters: IDataObject,
	{ name = 'Documenso', type = NODE_TYPE, onError, maxTries }: Setup = {},
) {
	return nodeOf(name, type, parameters, {
		...(onError ? { onError } : {}),
		...(maxTries ? { retryOnFail: true, maxTries, waitBetweenTries: 1 } : {}),
	});
}

/** Asks the node of an execution that waits, as n8n does when the address for resuming is called. */
export async function resumeWaiting(
	credential: Credential,
	node: INode,
	{ data }: IRun,
): Promise<IWebhookResponseData> {
	const workflow = workflowOf([nodeOf('Source', 'source', {}), node]);
	const base = additionalData(credential, {} as IWorkflowBase);
	base.executionId = executionIds.get(data);
	const response = Object.assign(new EventEmitter(), { closed: false, writableEnded: false });
	base.httpResponse = response as unknown as typeof base.httpResponse;
	const description = new Documenso().description.webhooks?.[0] as never;
	const webhook = {
		httpMethod: 'POST' as const,
		node: node.name,
		path: '',
		workflowId: 'workflow',
		workflowExecuteAdditionalData: base,
		webhookDescription: description,
	};
	const context = new WebhookContext(workflow, node, base, 'webhook', webhook, [], data);
	try {
		return await new Documenso().webhook.call(context);
	} finally {
		Object.assign(response, { closed: true, writableEnded: true });
		response.emit('close');
	}
}

export interface NodeRun {
	items: INodeExecutionData[];
	/** The second output, when the node has an error output. */
	errorItems: INodeExecutionData[];
	/** What n8n shows beside the output. */
	hints: string[];
	error?: Error & {
		description?: string;
		httpCode?: string;
		context?: IDataObject;
	};
}

/** Runs our node on items and returns its output, or the error that ended the execution. */
export async function runNode(
	credential: Credential,
	parameters: IDataObject,
	items: INodeExecutionData[] = [{ json: {} }],
	setup: Setup = {},
): Promise<NodeRun> {
	const node = documenso(parameters, setup);
	return nodeRunOf(node, await runAlone(credential, node, items, setup));
}

async function runAlone(
	credential: Credential,
	node: INode,
	items: INodeExecutionData[],
	{ mode = 'trigger', hasNoExecution }: Setup,
): Promise<IRun> {
	if (!hasNoExecution) return await execute(credential, [node], items, 1, mode);
	const workflow = workflowOf([nodeOf('Source', 'source', {}), node]);
	return await runOf(credential, workflow, mode, startOf(items), { executionId: undefined });
}

/** Calls our node as a tool, without an execution that n8n saves: as n8n's MCP server does, or one of its own agents. */
export async function callTool(
	credential: Credential,
	parameters: IDataObject,
	caller: 'mcp' | 'agent',
	setup: Setup = {},
): Promise<INodeExecutionData[]> {
	const node = documenso(parameters, { ...setup, type: `${NODE_TYPE}Tool` });
	const workflow = workflowOf([node]);
	const base = Object.assign(additionalData(credential, {} as IWorkflowBase), {
		executionId: undefined,
	});
	const items = [{ json: {} }];
	// Neither has the data of an execution.
	const data = createRunExecutionData({ executionData: null });
	const input: ITaskDataConnections = caller === 'agent' ? { main: [items] } : {};
	const executeData = { node, data: input, source: null };
	const arguments_ = [workflow, node, base, 'internal', data, 0, items, input] as const;
	const context =
		caller === 'agent'
			? new ExecuteContext(...arguments_, executeData, [])
			: new SupplyDataContext(...arguments_, NodeConnectionTypes.AiTool, executeData, []);
	if (caller === 'mcp') context.addInputData(NodeConnectionTypes.AiTool, [items]);
	const output = await new Documenso().execute.call(context as unknown as IExecuteFunctions);
	return output[0] ?? [];
}

function nodeRunOf(node: INode, { data }: IRun): NodeRun {
	const run = data.resultData.runData[node.name]?.[0];
	return {
		items: run?.data?.main?.[0] ?? [],
		errorItems: run?.data?.main?.[1] ?? [],
		hints: run?.hints?.map(({ message }) => message) ?? [],
		error: (run?.error ?? data.resultData.error) as NodeRun['error'],
	};
}

/** A context as the editor's pickers get it. */
export function loadOptionsContext(credential: Credential, parameters: IDataObject) {
	const node = documenso(parameters);
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const base = additionalData(credential, {} as IWorkflowBase);
	base.currentNodeParameters = node.parameters;
	return new LoadOptionsContext(workflow, node, base, '');
}

/** What n8n shows when the credential is tested or saved; by default as the first of our nodes tests it. */
export async function testCredential(credential: Credential, type = NODE_TYPE) {
	const { description, methods } = typeOf(type);
	const [{ testedBy } = {}] = description.credentials ?? [];
	const test = typeof testedBy === 'string' && methods?.credentialTest?.[testedBy];
	if (!test) throw new Error(`${type} does not test the credential`);
	const context = new CredentialTestContext(additionalData(credential, {} as IWorkflowBase));
	return await test.call(context, {
		...{ id: '1', name: 'Documenso', type: 'documensoApi' },
		data: { ...credential },
	});
}

/** One trigger node of a published workflow, or one that listens for a test event. */
export interface TriggerPlace {
	workflowId: string;
	/** Its name in the workflow. */
	node: string;
	/** Stays if it gets another name. */
	nodeId: string;
	/** What n8n keeps for the workflow from one call to the next. */
	staticData: IDataObject;
	/** What n8n's durable cursor holds, where it has one. */
	cursor?: IDataObject;
	/** What is under Settings of the node. */
	settings?: Partial<INode>;
	mode: 'webhook' | 'manual';
	/** How often n8n decrypted the credential for a delivery. */
	credentialReads: number;
	/** As when the database cannot be reached. */
	credentialFails?: boolean;
}

let places = 0;

export function triggerPlace(mode: TriggerPlace['mode'] = 'webhook'): TriggerPlace {
	const node = 'Documenso Trigger';
	const workflowId = `workflow-${String(++places)}`;
	return { workflowId, node, nodeId: node, staticData: {}, mode, credentialReads: 0 };
}

function triggerIn(
	parameters: IDataObject,
	{ workflowId, node: name, nodeId, staticData, settings, mode }: TriggerPlace,
	types = nodeTypes,
) {
	const node = nodeOf(name, TRIGGER_TYPE, parameters, {
		typeVersion: 2,
		webhookId: workflowId,
		id: nodeId,
		...settings,
	});
	const workflow = new Workflow({
		id: workflowId,
		name: 'Contracts',
		nodes: [node],
		connections: {},
		// Both as n8n 2.0.3 and 2.40.7 have it.
		active: mode !== 'manual',
		nodeTypes: types,
		staticData,
	});
	return { node, workflow };
}

function webhookOf({ workflowId, node }: TriggerPlace) {
	return {
		httpMethod: 'POST' as const,
		node,
		path: 'webhook',
		workflowId,
		workflowExecuteAdditionalData: {} as IWorkflowExecuteAdditionalData,
		webhookDescription: new DocumensoTrigger().description.webhooks?.[0] as never,
	};
}

/** A context as publishing a workflow, or switching it off, gives it to the trigger. */
export function hookContext(
	credential: Credential,
	parameters: IDataObject,
	place = triggerPlace(),
	webhookBaseUrl = 'http://localhost/webhook',
	activation: WorkflowActivateMode = 'activate',
) {
	const { node, workflow } = triggerIn(parameters, place);
	const base = additionalData(credential, {} as IWorkflowBase);
	Object.assign(base, { webhookBaseUrl });
	const mode = place.mode === 'manual' ? 'manual' : 'trigger';
	return new HookContext(workflow, node, base, mode, activation, webhookOf(place));
}

/**
 * A context as n8n gives it to the trigger's polls, from when the workflow is published until n8n ends. n8n reads the stored
 * data once for all of them, and stores all of it when a poll that has changed some starts an execution.
 */
export function checkContext(
	credential: Credential,
	parameters: IDataObject,
	place: TriggerPlace,
	start: (items: INodeExecutionData[][]) => Promise<void>,
	activation: WorkflowActivateMode = 'activate',
) {
	const staticData = JSON.parse(JSON.stringify(place.staticData)) as IDataObject;
	const { node, workflow } = triggerIn(parameters, { ...place, staticData });
	const base = additionalData(credential, {} as IWorkflowBase);
	const starts: Array<Promise<void>> = [];
	const emit: IPollFunctions['__emit'] = (items, _answer, ended) => {
		if ((workflow.staticData as unknown as { __dataChanged: boolean }).__dataChanged) {
			place.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
		}
		starts.push(
			start(items).then(
				() => ended?.resolve(undefined),
				(error: unknown) => ended?.reject(error as Error),
			),
		);
	};
	let cursor: IDataObject | undefined;
	const ofNode = () => cursor ?? workflow.getStaticData('node', node);
	const context = new PollContext(
		...([workflow, node, base, 'trigger', activation, emit, undefined, undefined] as const),
		...([undefined, ofNode] as const),
	);
	return {
		/** As n8n runs a poll: it keeps what one leaves in a durable cursor, but not of the one that it makes while it publishes. */
		async poll(node: { poll: (this: IPollFunctions) => Promise<unknown> }, isPublishing: boolean) {
			cursor = structuredClone(place.cursor);
			await node.poll.call(context);
			if (cursor && !isPublishing) place.cursor = cursor;
			await Promise.all(starts.splice(0));
		},
	};
}

interface TriggeredRun {
	place: TriggerPlace;
	/** The node as the process has it that runs the execution. */
	trigger: DocumensoTrigger;
	mode?: WorkflowExecuteMode;
}

/** The execution that n8n runs when a trigger has started it, up to the trigger itself. */
export async function runTrigger(
	credential: Credential,
	parameters: IDataObject,
	begins: INodeExecutionData[][],
	{ place, trigger, mode = place.mode }: TriggeredRun,
): Promise<NodeRun> {
	const types = nodeTypesWith({ [TRIGGER_TYPE]: trigger });
	const { node, workflow } = triggerIn(parameters, place, types);
	const stack = [{ node, data: { main: begins }, source: null }];
	const data = createRunExecutionData({ executionData: { nodeExecutionStack: stack } });
	return nodeRunOf(node, await runOf(credential, workflow, mode, data));
}

/** The execution that n8n runs for a poll, or for a test of the polling trigger in the editor. */
export async function runPolled(
	credential: Credential,
	parameters: IDataObject,
	begins: INodeExecutionData[][],
	mode: 'trigger' | 'manual',
	place: PolledPlace = {},
): Promise<NodeRun> {
	const { node, workflow } = polledIn(parameters, place);
	const stack = [{ node, data: { main: begins }, source: null }];
	const data = createRunExecutionData({ executionData: { nodeExecutionStack: stack } });
	return nodeRunOf(node, await runOf(credential, workflow, mode, data));
}

/** A context as n8n's webhook server gives it to the trigger for one request. */
export function webhookContext(
	credential: Credential,
	parameters: IDataObject,
	http: { request: unknown; response: unknown },
	place = triggerPlace(),
) {
	const { node, workflow } = triggerIn(parameters, place);
	const base = additionalData(credential, {} as IWorkflowBase);
	Object.assign(base, { httpRequest: http.request, httpResponse: http.response });
	const { getDecrypted } = base.credentialsHelper;
	base.credentialsHelper.getDecrypted = async (...asked) => {
		place.credentialReads += 1;
		if (place.credentialFails) throw new Error('The database cannot be reached');
		return await getDecrypted(...asked);
	};
	return new WebhookContext(workflow, node, base, place.mode, webhookOf(place), [], null);
}

/** A polling trigger of a published workflow. */
export interface PolledPlace {
	workflowId?: string;
	/** Its name in the workflow. */
	name?: string;
	/** What n8n has stored for the workflow; polls and executions change it. */
	staticData?: IDataObject;
}

export interface PollSetup extends PolledPlace {
	mode?: 'trigger' | 'manual';
	/** Milliseconds that n8n gives the poll; older n8n says nothing. */
	budgetMs?: number | 'unsaid';
	/** Where n8n resumes executions that wait. */
	waitingAddress?: string;
	/** Starts an execution for a poll that has not ended. */
	emit?: IPollFunctions['__emit'];
	/** What n8n's durable cursor holds; polls change it. */
	cursor?: IDataObject;
}

/** How many workflows have been polled. */
let polled = 0;

function polledIn(
	parameters: IDataObject,
	{ workflowId, name = 'Documenso Polling Trigger', staticData = {} }: PolledPlace,
) {
	const node = nodeOf(name, POLLING_TYPE, parameters, { id: 'id of the polling trigger' });
	const workflow = new Workflow({
		id: workflowId ?? `polled ${++polled}`,
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes,
		staticData,
	});
	return { node, workflow };
}

/** A context as n8n gives it to a polling trigger for one poll. */
export function pollContext(
	credential: Credential,
	parameters: IDataObject,
	{ mode = 'trigger', budgetMs = 300_000, waitingAddress, emit, cursor, ...place }: PollSetup = {},
) {
	const { workflow, node } = polledIn(parameters, place);
	const base = additionalData(credential, {} as IWorkflowBase);
	if (waitingAddress) base.webhookWaitingBaseUrl = waitingAddress;
	const context = new PollContext(
		...([workflow, node, base, mode, 'activate', emit, undefined, undefined, undefined] as const),
		cursor && (() => cursor),
	);
	Object.assign(context, {
		getPollBudgetMs: budgetMs === 'unsaid' ? undefined : () => budgetMs,
	});
	return { context, workflow };
}

/**
 * How n8n keeps files: in the item itself, or in a file or an S3 object that the item names; and there in a part of the
 * item of its own, or, by a setting of the workflow, combined with its JSON.
 */
export type BinaryMode = 'default' | 'filesystem' | 's3' | 'combined';

let filesMode: BinaryMode = 'default';

/** What a file's field is called in a parameter. */
export function fieldOf(property: string) {
	return filesMode === 'combined' ? `${BINARY_IN_JSON_PROPERTY}.${property}` : property;
}

export async function useBinaryMode(mode: BinaryMode) {
	filesMode = mode;
	Container.get(BinaryDataConfig).mode = mode === 'combined' ? 'filesystem' : mode;
	const service = Container.get(BinaryDataService);
	await service.init();
	if (mode === 's3') service.setManager('s3', await filesInS3());
}

/** An item with files, stored as n8n would store them in the current mode. */
export async function itemWith(
	files: Record<string, { content: Buffer; name?: string; type?: string }>,
	json: IDataObject = {},
): Promise<INodeExecutionData> {
	const service = Container.get(BinaryDataService);
	const entries = Object.entries(files).map(async ([property, { content, name, type }]) => {
		const location = { type: 'execution' as const, workflowId: 'workflow', executionId: 'input' };
		const meta = {
			data: '',
			mimeType: type ?? 'application/pdf',
			fileName: name ?? `${property}.pdf`,
		};
		return [property, await service.store(location, content, meta)] as const;
	});
	const binary = Object.fromEntries(await Promise.all(entries));
	if (filesMode !== 'combined') return { json, binary };
	return { json: { ...json, [BINARY_IN_JSON_PROPERTY]: binary } };
}

/** The bytes of a file in a node's output. */
export async function bytesOf(item: INodeExecutionData | undefined, property = 'data') {
	const combined = item?.json[BINARY_IN_JSON_PROPERTY] as INodeExecutionData['binary'];
	const file = (item?.binary ?? combined)?.[property];
	if (!file) throw new Error(`The item has no file in '${property}'`);
	return await Container.get(BinaryDataService).getAsBuffer(file);
}
