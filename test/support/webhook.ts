import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeExecutionData, WorkflowActivateMode } from 'n8n-workflow';

// With its ending: without it, tsx takes `.node` for a native module.
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node.ts';
import {
	checkContext,
	hookContext,
	runTrigger,
	triggerPlace,
	webhookContext,
	type Credential,
	type NodeRun,
	type TriggerPlace,
} from './n8n';
import { readBody, readQuery, Refused } from './webhookBody';
import { inFreshProcess } from './freshProcess';

export interface TriggerServer {
	/** The node's own URL, as the editor shows it. */
	url: string;
	/** What n8n stored of each execution when it started. */
	stored: INodeExecutionData[][][];
	/** What the trigger gave to the next node, in each execution that came to it. */
	executions: INodeExecutionData[][];
	/** The errors of the executions that failed. */
	failures: Array<NonNullable<NodeRun['error']>>;
	/** What all executions gave to the next node. */
	readonly items: INodeExecutionData[];
	/** What n8n shows beside the output of each execution. */
	hints: string[][];
	/** The items of the error output. */
	readonly errorItems: INodeExecutionData[];
	/** Publishes the workflow, and switches it off. */
	publish(): Promise<void>;
	/** What n8n does for a published workflow when this process becomes the leading one of several main processes. */
	lead(): Promise<void>;
	/** What n8n does for a published workflow when it starts. */
	restart(): Promise<void>;
	switchOff(): Promise<boolean>;
	/** n8n's poll of the published workflow, and the executions that it starts. */
	check(): Promise<void>;
	/** The same as one of n8n's durable poll jobs. */
	checkAsJob(): Promise<void>;
	/** As when somebody retries the last execution in n8n. */
	retry(): Promise<void>;
	/** An execution like the first one, for a duplicate that another webhook process has let through. */
	repeat(): Promise<void>;
	close(): Promise<void>;
}

export interface TriggerOptions {
	place?: TriggerPlace;
	/** The node as another process of n8n has it. */
	trigger?: DocumensoTrigger;
	/** What n8n still does between reading the body and asking the trigger. */
	beforehand?: (response: ServerResponse) => Promise<void>;
	/** Starts an execution; n8n answers 500 when that fails. */
	start?: (response: ServerResponse) => Promise<void>;
	/** Starts an execution for a poll. */
	startCheck?: () => Promise<void>;
}

/**
 * Stands for n8n's webhook server: reads the body, asks the trigger, starts the execution, and answers, all as
 * n8n 2.40 does for a trigger that responds when the request is received. Only that it waits for the execution to end.
 */
export async function serveTrigger(
	credential: Credential,
	parameters: IDataObject,
	{
		place = triggerPlace(),
		trigger = new DocumensoTrigger(),
		beforehand,
		start,
		startCheck,
	}: TriggerOptions = {},
): Promise<TriggerServer> {
	const stored: INodeExecutionData[][][] = [];
	const executions: INodeExecutionData[][] = [];
	const errorItems: INodeExecutionData[] = [];
	const failures: TriggerServer['failures'] = [];
	const hints: TriggerServer['hints'] = [];
	const server = createServer((request, response) => {
		handle(request, response).catch((error: unknown) => {
			response.statusCode = error instanceof Refused ? error.status : 500;
			response.end(JSON.stringify({ message: String(error) }));
		});
	});

	// Idle connections stay open: otherwise a busy machine closes one just as its next request is sent.
	server.keepAliveTimeout = 0;

	async function handle(request: IncomingMessage, response: ServerResponse) {
		const { rawBody, body } = await readBody(request);
		const query = readQuery(request.url);
		await beforehand?.(response);
		const context = webhookContext(
			credential,
			parameters,
			{
				request: Object.assign(request, { body, rawBody, query }),
				response: Object.assign(response, {
					status(code: number) {
						response.statusCode = code;
						return response;
					},
				}),
			},
			place,
		);
		const result = await trigger.webhook.call(context);
		if (result.workflowData) {
			await start?.(response);
			await execute(result.workflowData);
		}
		if (!result.noWebhookResponse) response.end(JSON.stringify(result.webhookResponse));
	}

	async function execute(begins: INodeExecutionData[][], mode?: 'trigger' | 'retry') {
		stored.push(begins);
		const input = structuredClone(begins);
		const {
			items,
			errorItems: failed,
			hints: shown,
			error,
		} = await runTrigger(credential, parameters, input, {
			place,
			trigger,
			mode,
		});
		if (items.length > 0) executions.push(items);
		errorItems.push(...failed);
		hints.push(shown);
		if (error) failures.push(error);
	}

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const base = `http://127.0.0.1:${port}/webhook`;
	const hook = (activation?: WorkflowActivateMode) =>
		hookContext(credential, parameters, place, base, activation);
	const { checkExists, create, delete: remove } = trigger.webhookMethods.default;
	let checks: ReturnType<typeof checkContext> | undefined;
	const activate = async (mode?: WorkflowActivateMode) => {
		if (!(await checkExists.call(hook(mode)))) await create.call(hook(mode));
		checks = newChecks(mode);
		await check(true);
	};
	const newChecks = (mode?: WorkflowActivateMode) => {
		const begin = async (items: INodeExecutionData[][]) => {
			await startCheck?.();
			await execute(items, 'trigger');
		};
		return checkContext(credential, parameters, place, begin, mode);
	};
	async function check(isPublishing = false) {
		if (!checks) throw new Error('The workflow is not published');
		await checks.poll(trigger, isPublishing);
	}
	return {
		url: hook().getNodeWebhookUrl('default') ?? '',
		stored,
		executions,
		failures,
		hints,
		errorItems,
		get items() {
			return executions.flat();
		},
		publish: async () => await activate(),
		restart: async () => await activate('init'),
		lead: async () => await activate('leadershipChange'),
		check: async () => await check(),
		async checkAsJob() {
			checks = newChecks('update');
			await check();
		},
		retry: async () => await execute(stored.at(-1) ?? [], 'retry'),
		repeat: async () => await execute(stored[0] ?? []),
		switchOff: async () => await remove.call(hook()),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

type Nodes = typeof import('../../nodes/DocumensoTrigger/DocumensoTrigger.node.ts');

/** The trigger as a process of n8n has it that has just started: it remembers nothing. */
export function freshTrigger(): DocumensoTrigger {
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const load = () => require('../../nodes/DocumensoTrigger/DocumensoTrigger.node.ts') as Nodes;
	return new (inFreshProcess(load).DocumensoTrigger)();
}
