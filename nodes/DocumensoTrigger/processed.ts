import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

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

/** How long to wait, in milliseconds, for another process to announce that it goes on: it does so at its first confirmation. */
const ANNOUNCED_MS = 2_500;

interface Change {
	kind: Kind;
	names: string[];
	/** Those of them that another process may take: they must not be recorded again later. */
	passing: string[];
	resolve: (made: Made) => void;
	reject: (error: unknown) => void;
}

interface Made {
	/** The names that were not on record. */
	added: string[];
	/** Those that another process has recorded at the same moment. */
	contested: string[];
}

/**
 * The changes that wait, by workflow and node. n8n reads a history whole and writes it back, so changes at the same moment
 * undo each other. All that wait are made at once: otherwise, executions pile up behind a slow database.
 */
const waiting = new Map<string, Change[]>();

/**
 * Returns which of the names were not on record. Throws what n8n's database threw, if it keeps doing so.
 *
 * Of several processes that record a name at the same moment, one finds that its record is left and goes on. With three of
 * them, an old history that comes back can make each believe that it is another. So who goes on announces it, and the others
 * wait for that: rather twice than never.
 */
export async function record(
	context: IExecuteFunctions,
	names: string[],
	passing: string[] = [],
): Promise<string[]> {
	const { added, contested } = await inTurn(context, 'record', names, passing);
	const first = names.find((name) => added.includes(name) || contested.includes(name));
	if (first === undefined || contested.length === 0) return added;
	await sleep(ANNOUNCED_MS);
	const unsaid = await inTurn(context, 'record', [announcementOf(first)]);
	return unsaid.added.length + unsaid.contested.length > 0 ? [...added, ...contested] : added;
}

/** Takes names from the record at once. Returns which of them were not on it. */
export async function take(context: IExecuteFunctions, names: string[]): Promise<string[]> {
	return (await inTurn(context, 'take', names)).added;
}

export async function forget(context: IExecuteFunctions, names: string[]): Promise<void> {
	const all = [...names, ...names.map(announcementOf)];
	// At once, too: a tick in between would have them recorded again behind this.
	leaveUnconfirmed(keyOf(context), all);
	await inTurn(context, 'forget', all);
}

function announcementOf(name: string): string {
	return `${name} goes on`;
}

function keyOf(context: IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

async function inTurn(
	context: IExecuteFunctions,
	kind: Kind,
	names: string[],
	passing: string[] = [],
): Promise<Made> {
	if (names.length === 0) return { added: [], contested: [] };
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
function settle(context: IExecuteFunctions, key: string, changes: Change[], answer: Answer) {
	const { added, known, isDoubtful } = answer;
	const passing = new Set(changes.flatMap((one) => one.passing));
	const before = unconfirmed.get(key);
	// Another process has written over what this one recorded moments ago.
	const isNew = (name: string) => !before?.has(name);
	const left = new Set(added.filter(isNew));
	const contested = new Set(answer.contested.filter(isNew));
	const taken = new Set(known);
	const announcements: string[] = [];
	for (const { kind, names, resolve, reject } of changes) {
		if (isDoubtful && names.some((name) => known.includes(name))) {
			reject(new Error(DOUBTFUL));
			continue;
		}
		const own = names.filter((name) => (kind === 'take' ? !taken.delete(name) : left.delete(name)));
		if (kind === 'record') announcements.push(...own.slice(0, 1).map(announcementOf));
		resolve({ added: own, contested: names.filter((name) => contested.delete(name)) });
	}
	const lasting = added.filter((name) => !passing.has(name));
	confirmLater(context, key, [...lasting, ...announcements]);
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
