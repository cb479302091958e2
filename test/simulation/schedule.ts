import type { IfExternalIdExists, NewDocument } from '../../nodes/Documenso/creation/newDocument';
import { Random } from './random';
import { EFFECTS, FOLDER, WRONG_ANSWERS, type Weather } from './service';

export interface ItemPlan {
	externalId?: string;
	email: string;
	folderId?: string;
}

/** An execution and its retries. */
export interface LinePlan {
	items: ItemPlan[];
	ifExternalIdExists: IfExternalIdExists;
	sending: NewDocument['sending'];
	ifSendingFails: NewDocument['ifSendingFails'];
	/** Whether answers name the recipients, as those from a template do. */
	isFromTemplate: boolean;
	/** Whether planning an item takes a request, which may fail. */
	readsFirst: boolean;
	continuesOnFail: boolean;
	/** Of Retry On Fail. */
	tries: number;
	pauseBetweenTries: number;
	startsAt: number;
	process: number;
	/** Whether n8n tells a retry when the original began. */
	isBeginningKnown: boolean;
	retries: RetryPlan[];
}

export interface RetryPlan {
	/** Milliseconds after the end, or the kill, of the execution before. */
	delay: number;
	process: number;
	/** After a kill; a failed execution is always saved. */
	isSaved: boolean;
	/** n8n can retry the first execution of a line again. */
	isOfFirst: boolean;
}

export interface Schedule {
	seed: number;
	weather: Weather;
	/** How many lists lack a page, from 0 to 1. */
	incomplete: number;
	/** Milliseconds that the service's clock is ahead. */
	serviceClock: number;
	lines: LinePlan[];
	processes: number;
	/** Whether all lines are in one process at a time: see the assumptions in simulation.test.ts. */
	isOneAtATime: boolean;
	/** Steps of a process until it is killed; each number is for one process, in the order in which they start. */
	kills: number[];
	drafts: Array<ItemPlan & { time: number }>;
	persons: Array<{ time: number; act: 'delete' | 'send' | 'move' | 'reject' }>;
}

const MINUTE_MS = 60_000;
const EMAILS = ['ann@example.com', 'Bob@Example.com', 'cid@example.com'];
const EXTERNAL_IDS = ['RA-1', 'RA-12', 'a\\b%_'];

/** A random schedule; the same for the same seed. */
export function scheduleOf(seed: number): Schedule {
	const random = new Random(seed);
	const family = random.oneOf([
		...(['own', 'chosen', 'unique', 'unique', 'acrossWorkers', 'acrossWorkers'] as const),
	]);
	const hasSeveralProcesses = family !== 'unique' || random.isTrue(0.3);
	const isCrowded = random.isTrue(0.5);
	const processes = hasSeveralProcesses ? random.whole(1, 3) : 1;
	// Plain Skip and Fail are safe in one process, or for one line of executions.
	const isOneLine = (family === 'unique' && hasSeveralProcesses) || random.isTrue(0.3);
	const lines = Array.from({ length: isOneLine ? 1 : random.whole(2, 3) }, () =>
		lineOf(random, family, processes, isCrowded),
	);
	const isCalm = random.isTrue(0.1);
	const externalIds = family === 'own' ? [] : EXTERNAL_IDS.slice(0, random.whole(1, 2));
	return {
		seed,
		weather: {
			changes: isCalm ? 0 : random.oneOf([0, 0.1, 0.3, 0.6]),
			reads: isCalm ? 0 : random.oneOf([0, 0, 0, 0.05, 0.3]),
			effects: random.oneOf([['late'], ['now'], ['late', 'never'], EFFECTS]),
			answers: random.oneOf([['lost', 'timeOut'], random.some(WRONG_ANSWERS, 0.5)]),
			lag: isCalm ? 0 : random.oneOf([0, 1000, 3000, 3000]),
			ghosts: random.oneOf([0, 0, 0.5]),
			slow: random.oneOf([0, 0.1]),
		},
		incomplete: isCalm ? 0 : random.oneOf([0, 0, 0.1]),
		serviceClock: random.between(-10 * MINUTE_MS, 10 * MINUTE_MS),
		lines,
		processes,
		isOneAtATime: family === 'unique' && !isOneLine,
		kills: isCalm ? [] : random.some([0, 1, 2], 0.4).map(() => random.whole(0, 12)),
		drafts: random
			.some(externalIds, 0.3)
			.map((externalId) => ({ ...placed(random), externalId, time: draftTime(random, family) })),
		persons: isCalm
			? []
			: Array.from({ length: random.oneOf([0, 0, 1, 3]) }, () => ({
					time: random.between(0, 2 * MINUTE_MS),
					act: random.oneOf(['delete', 'send', 'move', 'reject'] as const),
				})),
	};
}

function placed(random: Random): Pick<ItemPlan, 'email' | 'folderId'> {
	return {
		email: random.oneOf(EMAILS),
		...(random.isTrue(0.2) ? { folderId: FOLDER } : {}),
	};
}

/** Under Create Anyway, nothing tells a draft of the same moment from the item's. */
function draftTime(random: Random, family: string): number {
	return family === 'chosen' || random.isTrue(0.7) ? 0 : random.between(0, 2 * MINUTE_MS);
}

function lineOf(
	random: Random,
	family: 'own' | 'chosen' | 'unique' | 'acrossWorkers',
	processes: number,
	/** Whether all executions begin at the same time, with the same external ID. */
	isCrowded: boolean,
): LinePlan {
	const ids = EXTERNAL_IDS.slice(0, isCrowded ? 1 : random.whole(1, 3));
	const isSoon = isCrowded || random.isTrue(0.5);
	const ifExternalIdExists = {
		own: 'create',
		chosen: 'create',
		unique: random.oneOf(['skip', 'fail'] as const),
		acrossWorkers: 'skipAcrossWorkers',
	} as const;
	return {
		items: Array.from({ length: random.oneOf([1, 1, 2, 3, 4]) }, () => ({
			...placed(random),
			...(family === 'own' ? {} : { externalId: random.oneOf(ids) }),
		})),
		ifExternalIdExists: ifExternalIdExists[family],
		sending: random.oneOf([
			...(['whileCreating', 'whileCreating', 'afterwards', 'afterwards', 'no'] as const),
		]),
		ifSendingFails: random.oneOf(['keep', 'delete']),
		isFromTemplate: random.isTrue(0.6),
		readsFirst: random.isTrue(0.3),
		continuesOnFail: random.isTrue(0.4),
		tries: random.whole(1, 3),
		pauseBetweenTries: random.oneOf([1000, 5000]),
		startsAt: random.between(0, isSoon ? 3000 : 3 * MINUTE_MS),
		process: random.whole(0, processes - 1),
		isBeginningKnown: random.isTrue(0.8),
		retries: Array.from({ length: random.whole(0, 3) }, () => ({
			delay: random.isTrue(0.5) ? random.between(0, 5000) : random.between(0, 5 * MINUTE_MS),
			process: random.whole(0, processes - 1),
			isSaved: random.isTrue(0.3),
			isOfFirst: random.isTrue(0.2),
		})),
	};
}
