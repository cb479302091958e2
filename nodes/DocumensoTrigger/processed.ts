import type { IExecuteFunctions } from 'n8n-workflow';

import { change, type Answer, type Kind } from './processedData';

/**
 * After a change, others wait for so many times as long as it took, to be made together, but at most so many milliseconds:
 * n8n reads and writes all names each time, which took a fifth of its time while many events came.
 */
const [PAUSE_FACTOR, LONGEST_PAUSE_MS] = [9, 250];

/** How often what was recorded lately is looked through, in milliseconds. */
const TICK_MS = 500;

/**
 * After how many ticks to record again what was recorded: an execution in another process, which had read the history before,
 * may have written it back since.
 */
const CONFIRM_AT = [2, 6, 20];

interface Change {
	kind: Kind;
	names: string[];
	/** Those of them that another process may take: they must not be recorded again later. */
	passing: string[];
	/** Gets the names that were not on record. */
	resolve: (added: string[]) => void;
	reject: (error: unknown) => void;
}

/**
 * The changes that wait, by workflow and node. n8n reads a history whole and writes it back, so changes at the same moment
 * undo each other. All that wait are made at once: otherwise, executions pile up behind a slow database.
 */
const waiting = new Map<string, Change[]>();

/** Returns which of the names were not on record. Throws what n8n's database threw, if it keeps doing so. */
export async function record(
	context: IExecuteFunctions,
	names: string[],
	passing: string[] = [],
): Promise<string[]> {
	return await inTurn(context, 'record', names, passing);
}

/** Takes names from the record at once. Returns which of them were not on it. */
export async function take(context: IExecuteFunctions, names: string[]): Promise<string[]> {
	return await inTurn(context, 'take', names);
}

export async function forget(context: IExecuteFunctions, names: string[]): Promise<void> {
	// At once, too: a tick in between would have them recorded again behind this.
	leaveUnconfirmed(keyOf(context), names);
	await inTurn(context, 'forget', names);
}

function keyOf(context: IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

async function inTurn(
	context: IExecuteFunctions,
	kind: Kind,
	names: string[],
	passing: string[] = [],
): Promise<string[]> {
	if (names.length === 0) return [];
	return await new Promise((resolve, reject) => {
		const key = keyOf(context);
		const others = waiting.get(key);
		const own = { kind, names, passing, resolve, reject };
		if (others) {
			others.push(own);
			return;
		}
		const changes = [own];
		waiting.set(key, changes);
		void makeAll(context, key, changes);
	});
}

/** Until none has come for a while. It never throws. */
async function makeAll(context: IExecuteFunctions, key: string, changes: Change[]) {
	while (changes[0]) {
		const { kind } = changes[0];
		const other = changes.findIndex((one) => one.kind !== kind);
		const made = changes.splice(0, other < 0 ? changes.length : other);
		const names = [...new Set(made.flatMap((one) => one.names))];
		const begun = performance.now();
		if (kind !== 'record') leaveUnconfirmed(key, names);
		const isOwn = names.every((name) => unconfirmed.get(key)?.has(name));
		await change(context, kind, names, isOwn).then(
			(answer) => {
				settle(context, key, made, answer);
			},
			(error: unknown) => {
				for (const one of made) one.reject(error);
			},
		);
		// The others wait for each other anyway.
		if (kind !== 'record') continue;
		const pause = PAUSE_FACTOR * (performance.now() - begun);
		await inBackground(Math.min(LONGEST_PAUSE_MS, Math.ceil(pause)));
	}
	waiting.delete(key);
}

/** Tells each change which of its names were not on record: each name was there, or was not, for one of them only. */
function settle(
	context: IExecuteFunctions,
	key: string,
	made: Change[],
	{ added, known, isDoubtful }: Answer,
) {
	const passing = new Set(made.flatMap((one) => one.passing));
	const before = unconfirmed.get(key);
	// Another process has written over what this one recorded moments ago.
	const left = new Set(added.filter((name) => !before?.has(name)));
	const taken = new Set(known);
	confirmLater(
		context,
		key,
		added.filter((name) => !passing.has(name)),
	);
	for (const { kind, names, resolve, reject } of made) {
		if (isDoubtful && names.some((name) => known.includes(name))) reject(new Error(DOUBTFUL));
		else if (kind === 'take') resolve(names.filter((name) => !taken.delete(name)));
		else resolve(names.filter((name) => left.delete(name)));
	}
}

/** By workflow and node: what was recorded in the last seconds, and how many ticks ago. Names that are taken back leave it. */
const unconfirmed = new Map<string, Map<string, number>>();

function leaveUnconfirmed(key: string, names: string[]) {
	for (const name of names) unconfirmed.get(key)?.delete(name);
}

function confirmLater(context: IExecuteFunctions, key: string, added: string[]) {
	const ages = unconfirmed.get(key) ?? new Map<string, number>();
	for (const name of added) ages.set(name, 0);
	if (ages.size === 0 || unconfirmed.has(key)) return;
	unconfirmed.set(key, ages);
	void confirmAll(context, key, ages);
}

/** Until nothing is left. One context serves all: each holds the data of its execution. It never throws. */
async function confirmAll(context: IExecuteFunctions, key: string, ages: Map<string, number>) {
	while (ages.size > 0) {
		await inBackground(TICK_MS);
		const due: string[] = [];
		for (const [name, before] of ages) {
			const age = before + 1;
			ages.set(name, age);
			if (CONFIRM_AT.includes(age)) due.push(name);
		}
		await record(context, due).catch(() => []);
		for (const [name, age] of ages) if (age >= Math.max(...CONFIRM_AT)) ages.delete(name);
	}
	unconfirmed.delete(key);
}

/** A pause that, unlike `sleep`, keeps no process from ending. */
async function inBackground(ms: number): Promise<void> {
	const signal = AbortSignal.timeout(ms);
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

const DOUBTFUL =
	"n8n's database failed while it recorded the event. Whether another execution has had the event is not known; to run the workflow for it, retry this execution.";
