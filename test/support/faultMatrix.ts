import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { DEMO_TOKEN, startEmulator, type Fault } from '../../emulator';
import { matcher } from '../../emulator/http/intercept';
import { documenso, execute, itemWith, type NodeRun, type Setup } from './n8n';
import { pdf } from './pdf';
import { credentialFor, type Service } from './service';
import { byId, contract } from './suite';
import { giveUpEarly, STALL_MS } from './timeout';

/** Something that goes wrong with one request. */
export interface RequestFault {
	fault: Fault;
	/** Whether the client recovers from it by itself, for any request. */
	isHarmless?: boolean;
	/** Whether Documenso has done what it was asked for. */
	isDone?: boolean;
	/** Whether the client retries a read at once. */
	isPassing?: boolean;
	/** Whether the request hangs, so that it has to be given up. */
	isStall?: boolean;
}

const page = {
	headers: { 'content-type': 'text/html' },
	body: '<html><body>Bad gateway</body></html>',
};
const blocked = { body: { message: 'Request blocked', incident: 7 } };
const done = { takesEffect: true };

export const REQUEST_FAULTS: Record<string, RequestFault> = {
	'429': { fault: { status: 429, headers: { 'retry-after': '0' } }, isHarmless: true },
	'an answer that trickles': { fault: { trickleMs: 1 }, isHarmless: true },
	'500, nothing done': { fault: { status: 500 } },
	'500, done': { fault: { status: 500, ...done }, isDone: true },
	'502, done': { fault: { status: 502, ...page, ...done }, isDone: true, isPassing: true },
	'503, nothing done': { fault: { status: 503, ...page }, isPassing: true },
	'503, done': { fault: { status: 503, ...page, ...done }, isDone: true, isPassing: true },
	'504, nothing done': { fault: { status: 504, ...page }, isPassing: true },
	'504, done': { fault: { status: 504, ...page, ...done }, isDone: true, isPassing: true },
	'a reset before it is read': { fault: { cut: 'before' }, isPassing: true },
	'a reset in the answer': {
		fault: { cut: 'during', afterBytes: 20 },
		isDone: true,
		isPassing: true,
	},
	'a reset instead of the answer': { fault: { cut: 'after' }, isDone: true, isPassing: true },
	'a time-out, nothing done': {
		fault: { delayMs: STALL_MS, status: 504 },
		isPassing: true,
		isStall: true,
	},
	'a time-out, done': {
		fault: { stallMs: STALL_MS },
		isDone: true,
		isPassing: true,
		isStall: true,
	},
	'cut JSON, done': { fault: { status: 200, body: '{"id":"envelope_', ...done }, isDone: true },
	'a page of something else’s, nothing done': { fault: { status: 200, ...page } },
	'a page of something else’s, done': { fault: { status: 200, ...page, ...done }, isDone: true },
	'JSON of something else’s, nothing done': { fault: { status: 200, ...blocked } },
	'JSON of something else’s, done': { fault: { status: 200, ...blocked, ...done }, isDone: true },
	'204 without a body, done': { fault: { status: 204, body: '', ...done }, isDone: true },
};

/** An operation on some rows, and how to see at the service what it did for each. */
export interface Scenario {
	parameters: IDataObject;
	/** The requests that a fault may hit, and whether the row is done in the end in spite of it. */
	hit: Record<string, (fault: RequestFault, isRetried: boolean) => boolean>;
	/** Brings the service into the state that the operation needs, and makes the rows. */
	prepare(service: Service): Promise<INodeExecutionData[]>;
	/** How often it was done for the row; for a read, how often its output was right. */
	times(service: Service, row: number, output: INodeExecutionData[]): number | Promise<number>;
	/** Whether the row's output is what the service has. A read has none, because `times` checks its output. */
	isRight?(service: Service, row: number, json: IDataObject): boolean;
	isRead?: boolean;
}

/** A read succeeds when the client retries it, or with n8n's next try. */
export const asRead = ({ isPassing = false }: RequestFault, isRetried: boolean) =>
	isPassing || isRetried;
/** A change that the node can look for succeeds if it was done; otherwise n8n's next try does it. */
export const asLookedFor = ({ isDone = false }: RequestFault, isRetried: boolean) =>
	isDone || isRetried;
/** A change that may still be done later is not done again. */
export const asSeenOnly = ({ isDone = false }: RequestFault) => isDone;
/** A change that the node cannot recognize fails, and is not done again. */
export const never = () => false;

/** What n8n does when a row has failed. */
const SETUPS: Record<string, Setup> = {
	'without a retry': {},
	'with Retry On Fail': { maxTries: 3 },
	'with Continue On Fail': { onError: 'continueRegularOutput' },
};

const ROWS = [0, 1];
const content = pdf('A lease');

export async function rowsWithFile(): Promise<INodeExecutionData[]> {
	const item = await itemWith({ data: { content: await content } });
	return ROWS.map((row) => ({ ...item, json: { row } }));
}

/** Whether a file is the one that `rowsWithFile` have. */
export async function isTheFile(file: Buffer): Promise<boolean> {
	return file.equals(await content);
}

export const create: IDataObject = {
	resource: 'document',
	operation: 'create',
	...contract,
	title: '=Row {{ $json.row }}',
};

/** Drafts, and a row for each. */
export async function drafts(service: Service): Promise<INodeExecutionData[]> {
	await execute(credentialFor(service), [documenso(create)], await rowsWithFile());
	service.calls.length = 0;
	return ROWS.map((row) => ({ json: { row, id: documentsOf(service, row)[0]?.id } }));
}

export const ofRow = { resource: 'document', documentId: byId('={{ $json.id }}') };

export function documentsOf(service: Service, row: number) {
	return service.store.documents.filter(({ title }) => title === `Row ${row}`);
}

interface Case {
	name: string;
	scenario: Scenario;
	hit: string;
	fault: RequestFault;
	setup: Setup;
}

function casesOf(scenarios: Record<string, Scenario>): Case[] {
	return Object.entries(scenarios).flatMap(([operation, scenario]) =>
		Object.keys(scenario.hit).flatMap((hit) =>
			Object.entries(REQUEST_FAULTS).flatMap(([what, fault]) =>
				Object.entries(SETUPS).map(([how, setup]) => ({
					name: `${operation}: ${what} at ${hit}, ${how}`,
					scenario,
					hit,
					fault,
					setup,
				})),
			),
		),
	);
}

/** Cases under way at once: most of the time they wait. */
const WIDTH = 40;

/** Those of a suite, which are used again: starting one takes longer than a case. */
const idle: Service[] = [];

export async function closeServices() {
	await Promise.all(idle.splice(0).map(async (service) => await service.close()));
}

/**
 * Lets every fault hit every request of the scenarios, in executions that n8n stops, retries or continues. Returns what
 * is wrong, in sentences.
 */
export async function complaintsAbout(scenarios: Record<string, Scenario>): Promise<string[]> {
	const cases = casesOf(scenarios);
	const queue = cases.values();
	const found: Finding[] = [];
	const work = async () => {
		const service = idle.pop() ?? (await startEmulator());
		for (const one of queue) found.push(await examine(service, one));
		idle.push(service);
	};
	await Promise.all(Array.from({ length: WIDTH }, work));
	const sum = (count: (finding: Finding) => number) =>
		found.map(count).reduce((total, one) => total + one, 0);
	process.stdout.write(
		`${Object.keys(REQUEST_FAULTS).length} faults × ${Object.keys(scenarios).length} operations: ` +
			`${cases.length.toLocaleString('en')} executions, ${sum(({ requests }) => requests).toLocaleString('en')} requests, ` +
			`${sum(({ twice }) => twice)} rows done twice, ${sum(({ lost }) => lost)} rows lost\n`,
	);
	return found.flatMap(({ complaints }) => complaints);
}

interface Finding {
	requests: number;
	/** Rows that were done more than once. */
	twice: number;
	/** Rows whose output is neither a result nor an error. */
	lost: number;
	complaints: string[];
}

const NEXT_STEP = /\b(check|look|wait|try again|run again|retry|send or delete)\b/i;
const MAY_BE_DONE = /may (or may not )?have|document \S+ was created/i;

async function examine(service: Service, one: Case): Promise<Finding> {
	const { name, scenario, hit, fault, setup } = one;
	await service.reset();
	const rows = await scenario.prepare(service);
	service.fail({ match: hit, ...fault.fault });
	const node = documenso(scenario.parameters, setup);
	const before = service.calls.length;
	const isHit = matcher(hit);
	const wasHit = () =>
		service.calls.slice(before).some(({ method, path }) => isHit(`${method} ${path}`));
	// Only the request that hangs: a busy machine may take longer for the answers to others.
	const bePatient = giveUpEarly(
		service.url,
		(line) => fault.isStall === true && isHit(line) && !wasHit(),
	);
	const { data } = await execute(credentialFor(service), [node], rows);
	bePatient();
	const run = data.resultData.runData[node.name]?.[0];
	const error = (run?.error ?? data.resultData.error) as NodeRun['error'];
	const output = run?.data?.main?.[0] ?? [];

	const finding: Finding = { requests: service.calls.length, twice: 0, lost: 0, complaints: [] };
	const complain = (what: string) => finding.complaints.push(`${name}: ${what}`);
	const everything =
		JSON.stringify(data) + JSON.stringify(error, Object.getOwnPropertyNames(error ?? {}));
	if (everything.includes(DEMO_TOKEN)) complain('the token is in what n8n stores');
	if (error && typeof error.context?.itemIndex !== 'number') complain('the error has no item');

	const isExpected = fault.isHarmless || scenario.hit[hit]?.(fault, Boolean(setup.maxTries));
	const failure = error?.message ?? output.find(({ json }) => 'error' in json)?.json.error;
	if (isExpected && failure) complain(`failed: ${JSON.stringify(failure)}`);
	if (!isExpected && !failure) complain('came through');

	for (const [row] of rows.entries()) {
		const times = await scenario.times(service, row, output);
		const own = output.filter(({ pairedItem }) => (pairedItem as { item: number }).item === row);
		const done = own.filter(({ json }) => !('error' in json));
		const said = sentencesOn(row, own, error);
		if (times > 1) finding.twice += 1;
		if (times > 1) complain(`row ${row} was done ${times} times`);
		if (!error && own.length === 0) finding.lost += 1;
		if (!error && own.length === 0) complain(`row ${row} is lost`);
		if (done.length > 0 && times !== 1) complain(`row ${row} is said to be done, and is not`);
		const isRight = ({ json }: INodeExecutionData) =>
			scenario.isRight?.(service, row, json) ?? true;
		if (!done.every(isRight)) complain(`row ${row} came out wrong`);
		if (said && !NEXT_STEP.test(said)) complain(`row ${row} has no next step: ${said}`);
		const isUnsaid = times === 1 && !scenario.isRead && said && !MAY_BE_DONE.test(said);
		if (isUnsaid) complain(`row ${row} was done, and its error does not say so: ${said}`);
	}
	return finding;
}

/** What a user is told about a row that failed. */
function sentencesOn(
	row: number,
	own: INodeExecutionData[],
	error: NodeRun['error'],
): string | undefined {
	const failed = own.find(({ json }) => 'error' in json);
	if (failed) return JSON.stringify(failed.json);
	if (error?.context?.itemIndex !== row) return undefined;
	return `${error.message} ${error.description ?? ''}`;
}
