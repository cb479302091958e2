import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { forgetOldest } from './deduplicate';
import * as processedData from './processedData';

/**
 * After a change, others wait for so many times as long as it took, to be made together, but at most so many milliseconds:
 * n8n reads and writes all names each time, which took a fifth of its time while many events came.
 */
const [PAUSE_FACTOR, LONGEST_PAUSE_MS] = [9, 250];

/** How often what was recorded lately is looked through, in milliseconds, on average. */
const TICK_MS = 500;

/**
 * After how many ticks to record again what was recorded: an execution in another process, which had read the history before,
 * may have written it back since.
 */
const CONFIRM_AT = [2, 6, 20];

/** How long to wait, in milliseconds, for another process to announce that it goes on: it does so at once, if it can. */
const ANNOUNCED_MS = 5_000;

/** How many names to record at once, or again: half of what n8n keeps, so that they cannot push each other out. */
const MOST_AT_ONCE = 5_000;

/** What happens to names. To repeat is to record what this process has recorded before. */
type Kind = 'record' | 'repeat' | 'forget';

interface Change {
	kind: Kind;
	names: string[];
	resolve: (made: Made) => void;
	reject: (error: unknown) => void;
}

type Made = Pick<processedData.Recorded, 'added' | 'contested'>;

/** The names of a change that are the execution's own now. */
export interface Taken {
	/** Those that were not on record. */
	added: string[];
	/** Those that another process seemed to have recorded at the same moment, but has not announced. */
	claimed: string[];
}

/**
 * The changes that wait, by workflow and node. n8n reads a history whole and writes it back, so changes at the same moment
 * undo each other. All that wait are made at once: otherwise, executions pile up behind a slow database.
 */
const waiting = new Map<string, Change[]>();

/**
 * Throws what n8n's database threw, if it keeps doing so.
 *
 * Of several processes that record a name at the same moment, one finds that its record is left. With three of them, an old
 * history that comes back can make each believe that it is another. So who has a name announces it, and the others wait for
 * that: rather twice than never.
 */
export async function record(context: IExecuteFunctions, names: string[]): Promise<Taken> {
	const { added, contested } = await inTurn(context, 'record', names);
	announce(context, added);
	if (contested.length === 0) return { added, claimed: [] };
	await sleep(ANNOUNCED_MS);
	const asked = await inTurn(context, 'record', contested.map(announcementOf));
	const unsaid = new Set([...asked.added, ...asked.contested]);
	const claimed = contested.filter((name) => unsaid.has(announcementOf(name)));
	confirmLater(context, claimed);
	return { added, claimed };
}

/** Takes names from the record. It never throws: at worst, they stay there. */
export async function forget(context: IExecuteFunctions, names: string[]): Promise<void> {
	const all = [...names, ...names.map(announcementOf)];
	// At once, too: a tick in between would have them recorded again behind this.
	leaveUnconfirmed(context, all);
	await inTurn(context, 'forget', all).catch(() => undefined);
}

function announce(context: IExecuteFunctions, names: string[]) {
	const announcements = names.map(announcementOf);
	confirmLater(context, announcements);
	repeatInTurn(context, announcements);
}

function announcementOf(name: string): string {
	return `${name} is taken`;
}

function keyOf(context: IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

async function inTurn(context: IExecuteFunctions, kind: Kind, names: string[]): Promise<Made> {
	if (names.length === 0) return { added: [], contested: [] };
	return await new Promise((resolve, reject) => {
		const key = keyOf(context);
		const others = waiting.get(key);
		const own = { kind, names, resolve, reject };
		if (others) {
			// Other processes wait for what is repeated.
			others[kind === 'repeat' ? 'unshift' : 'push'](own);
			return;
		}
		const changes = [own];
		waiting.set(key, changes);
		void makeAll(context, changes);
	});
}

/** If it fails, the next confirmation makes up for it. */
function repeatInTurn(context: IExecuteFunctions, names: string[]) {
	inTurn(context, 'repeat', names).catch(() => undefined);
}

/** Until none has come for a while. It never throws. */
async function makeAll(context: IExecuteFunctions, changes: Change[]) {
	while (changes[0]) {
		const made = changes.splice(0, lengthOfBatch(changes));
		const begun = performance.now();
		try {
			await make(context, made);
		} catch (error) {
			for (const { reject } of made) reject(error);
		}
		// The others wait for each other anyway.
		if (!made.some(({ kind }) => kind === 'record')) continue;
		const pause = PAUSE_FACTOR * (performance.now() - begun);
		await inBackground(Math.min(LONGEST_PAUSE_MS, pause));
	}
	waiting.delete(keyOf(context));
}

/** How many of the changes, from the first, can be made at once. */
function lengthOfBatch(changes: Change[]): number {
	let size = 0;
	const end = changes.findIndex(({ kind, names }, index) => {
		size += names.length;
		const isOther = (kind === 'forget') !== (changes[0]?.kind === 'forget');
		return isOther || (size > MOST_AT_ONCE && index > 0);
	});
	return end < 0 ? changes.length : end;
}

async function make(context: IExecuteFunctions, changes: Change[]) {
	const names = [...new Set(changes.flatMap((one) => one.names))];
	const isAny = (kind: Kind) => changes.some((one) => one.kind === kind);
	if (isAny('record')) {
		settle(context, changes, await processedData.record(context, names));
		return;
	}
	if (isAny('forget')) {
		leaveUnconfirmed(context, names);
		await processedData.forget(context, names);
	} else {
		await processedData.repeat(context, names);
	}
	for (const { resolve } of changes) resolve({ added: [], contested: [] });
}

/** Tells each change which of its names were not on record: each name was there, or was not, for one of them only. */
function settle(context: IExecuteFunctions, changes: Change[], recorded: processedData.Recorded) {
	const before = unconfirmed.get(keyOf(context));
	// Another process has written over what this one recorded moments ago.
	const isNew = (name: string) => !before?.has(name);
	const added = new Set(recorded.added.filter(isNew));
	const contested = new Set(recorded.contested.filter(isNew));
	const doubtful = new Set(recorded.doubtful);
	for (const { names, resolve, reject } of changes) {
		if (names.some((name) => doubtful.has(name))) {
			reject(new Error(DOUBTFUL));
			continue;
		}
		resolve({
			added: names.filter((name) => added.delete(name)),
			contested: names.filter((name) => contested.delete(name)),
		});
	}
	confirmLater(context, recorded.added);
}

/** By workflow and node: what was recorded in the last seconds, and how many ticks ago. Names that are taken back leave it. */
const unconfirmed = new Map<string, Map<string, number>>();

function leaveUnconfirmed(context: IExecuteFunctions, names: string[]) {
	const ages = unconfirmed.get(keyOf(context));
	for (const name of names) ages?.delete(name);
}

function confirmLater(context: IExecuteFunctions, names: string[]) {
	const key = keyOf(context);
	const ages = unconfirmed.get(key) ?? new Map<string, number>();
	for (const name of names) if (!ages.has(name)) ages.set(name, 0);
	forgetOldest(ages, MOST_AT_ONCE);
	if (ages.size === 0 || unconfirmed.has(key)) return;
	unconfirmed.set(key, ages);
	void confirmAll(context, ages);
}

/** Until nothing is left. One context serves all: each holds the data of its execution. It never throws. */
async function confirmAll(context: IExecuteFunctions, ages: Map<string, number>) {
	while (ages.size > 0) {
		// Two processes that hear of an event at the same moment must not write over each other each time.
		await inBackground(TICK_MS * (0.5 + Math.random()));
		const due: string[] = [];
		for (const [name, before] of ages) {
			const age = before + 1;
			ages.set(name, age);
			if (CONFIRM_AT.includes(age)) due.push(name);
		}
		repeatInTurn(context, due);
		for (const [name, age] of ages) if (age >= Math.max(...CONFIRM_AT)) ages.delete(name);
	}
	unconfirmed.delete(keyOf(context));
}

/** A pause that, unlike `sleep`, keeps no process from ending. */
async function inBackground(ms: number): Promise<void> {
	const signal = AbortSignal.timeout(Math.ceil(ms));
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

const DOUBTFUL =
	"n8n's database failed while it recorded the event. Whether another execution has had the event is not known; to run the workflow for it, retry this execution.";
