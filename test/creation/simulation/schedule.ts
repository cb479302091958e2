import type {
	IfExternalIdExists,
	NewDocument,
} from '../../../nodes/Documenso/creation/newDocument';
import { Random } from '../../support/random';
import { EFFECTS, FOLDER, WRONG_ANSWERS, type Weather } from './service';

/** A row of a spreadsheet. */
export interface ItemPlan {
	row: number;
	externalId?: string;
	email: string;
	folderId?: string;
}

/** An execution and its retries. */
export interface LinePlan {
	items: ItemPlan[];
	/** Those of the items that the first execution has. */
	rows: number[];
	/** How often a loop runs the node. */
	rounds: number;
	/** Milliseconds until the first execution is cancelled. */
	cancelledAfter?: number;
	ifExternalIdExists: IfExternalIdExists;
	sending: NewDocument['sending'];
	ifSendingFails: NewDocument['ifSendingFails'];
	/** Which version of its contracts the rows hold; what a person has made is version 0. */
	version: number;
	/** Whether answers name the recipients, as those from a template do. */
	isFromTemplate: boolean;
	/** How many of the template's recipients are left out of each document. */
	leftOut: number;
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
	/** Unless the execution is saved, the nodes before read the rows again. */
	rows: number[];
	/** n8n can retry the first execution of a line again. */
	isOfFirst: boolean;
	/** The rows run again, as a schedule does it, instead of a retry. */
	isNewRun: boolean;
}

export interface Schedule {
	seed: number;
	weather: Weather;
	/** Milliseconds that the service's clock is ahead. */
	serviceClock: number;
	lines: LinePlan[];
	processes: number;
	/** Steps of a process until it is killed; each number is for one process, in the order in which they start. */
	kills: number[];
	/** Whether these steps count from the first request that changes something. */
	areKilledAtWork: boolean;
	/** What people create. */
	documents: Array<Omit<ItemPlan, 'row'> & { time: number; isSent: boolean }>;
	persons: Array<{ time: number; act: PersonalAct }>;
}

export type PersonalAct = 'delete' | 'send' | 'move' | 'reject' | 'sign' | 'cancel';

const MINUTE_MS = 60_000;
/** What a person has done before this is seen by everybody. */
const BEGIN_MS = 20_000;
const EMAILS = ['ann@example.com', 'Bob@Example.com', 'cid@example.com', 'dan@example.com'];
const EXTERNAL_IDS = ['RA-1', 'RA-12', 'a\\b%_'];
/** By these, nobody would find a document again. */
const UNFINDABLE_IDS = ['RA n8n-wait:1', 'RA \ud83d'];

/** A random schedule; the same for the same seed. */
export function scheduleOf(seed: number): Schedule {
	const random = new Random(seed);
	const replaces = seed % 3 === 0;
	const family = replaces
		? 'replace'
		: random.oneOf([...(['own', 'chosen', 'unique', 'acrossWorkers', 'acrossWorkers'] as const)]);
	const isCrowded = random.isTrue(0.6);
	const hasSeveralProcesses = family !== 'unique' || random.isTrue(0.2);
	// A schedule runs the rows again soon after, in the process that n8n has started then.
	const areKilledAtWork = family === 'unique' && !hasSeveralProcesses && random.isTrue(0.5);
	const externalIds = random.isTrue(0.05) ? [random.oneOf(UNFINDABLE_IDS)] : EXTERNAL_IDS;
	const processes = hasSeveralProcesses ? random.oneOf([1, 2, 2, 3]) : 1;
	// Plain Skip and Fail are safe in one process, or for one line of executions.
	const isOneLine = (family === 'unique' && hasSeveralProcesses) || random.isTrue(0.2);
	const lines = Array.from({ length: isOneLine ? 1 : random.whole(2, 3) }, (_, line) =>
		lineOf(random, family, {
			...{ processes, process: line % processes },
			...{ isCrowded, externalIds, areKilledAtWork },
		}),
	);
	const isCalm = random.isTrue(0.1);
	// Workers that create one document at the same moment, and see little of each other.
	const isRace = (family === 'acrossWorkers' || replaces) && isCrowded;
	const existing = family === 'own' ? [] : EXTERNAL_IDS.slice(0, random.whole(1, 2));
	return {
		seed,
		weather: {
			changes: areKilledAtWork ? 0.7 : isCalm ? 0 : random.oneOf([0, 0.1, 0.3, 0.6]),
			reads: isCalm ? 0 : random.oneOf([0, 0, 0, 0.05, 0.3]),
			effects: areKilledAtWork
				? ['late']
				: random.oneOf([['late'], ['now'], ['late', 'never'], EFFECTS]),
			answers: random.oneOf([['lost', 'timeOut'], random.some(WRONG_ANSWERS, 0.5)]),
			lag: isRace ? 3000 : isCalm ? 0 : random.oneOf([0, 1000, 3000, 3000]),
			ghosts: random.oneOf([0, 0, 0.5]),
			slow: isRace ? 0.4 : random.oneOf([0, 0.1, 0.4]),
			incomplete: isCalm ? 0 : random.oneOf([0, 0, 0.3]),
		},
		serviceClock: random.between(-10 * MINUTE_MS, 10 * MINUTE_MS),
		lines,
		processes,
		kills:
			isCalm || isRace
				? []
				: random
						.some([0, 1, 2], areKilledAtWork ? 0.6 : 0.3)
						.map(() => random.whole(0, areKilledAtWork ? 3 : 20)),
		areKilledAtWork,
		documents: random
			.some([...existing, ...existing], replaces ? 0.5 : isRace ? 0 : 0.35)
			.map((externalId) => existingOne(random, externalId, replaces)),
		persons:
			isCalm || (isRace && !replaces)
				? []
				: Array.from({ length: random.oneOf([0, 0, 1, 3]) }, () => ({
						time: BEGIN_MS + random.between(0, 2 * MINUTE_MS),
						act: random.oneOf(replaces ? REPLACED_ACTS : ACTS),
					})),
	};
}

const ACTS = ['delete', 'send', 'move', 'reject'] as const;
/** Of these, most decide whether a document may be replaced. */
const REPLACED_ACTS = ['sign', 'sign', 'sign', 'cancel', 'reject', 'move'] as const;

function placed(random: Random, emails = EMAILS.slice(0, 3)): Pick<ItemPlan, 'email' | 'folderId'> {
	return {
		email: random.oneOf(emails),
		...(random.isTrue(0.2) ? { folderId: FOLDER } : {}),
	};
}

function existingOne(random: Random, externalId: string, isToBeReplaced: boolean) {
	const isEarlier = isToBeReplaced || random.isTrue(0.7);
	return {
		...{ ...placed(random, EMAILS.slice(0, random.oneOf([1, 3]))), externalId },
		time: isEarlier ? random.between(0, BEGIN_MS / 2) : BEGIN_MS + random.between(0, 2 * MINUTE_MS),
		isSent: isEarlier && random.isTrue(isToBeReplaced ? 0.9 : 0.4),
	};
}

function lineOf(
	random: Random,
	family: 'own' | 'chosen' | 'unique' | 'acrossWorkers' | 'replace',
	{
		processes,
		process,
		isCrowded,
		externalIds,
		areKilledAtWork,
	}: {
		processes: number;
		/** Where the first execution is. */
		process: number;
		/** Whether all executions begin at the same time, with the same external ID. */
		isCrowded: boolean;
		externalIds: string[];
		areKilledAtWork: boolean;
	},
): LinePlan {
	const ids = externalIds.slice(0, isCrowded ? 1 : random.whole(1, 3));
	const isRace = (family === 'acrossWorkers' || family === 'replace') && isCrowded;
	const emails = EMAILS.slice(
		0,
		isRace ? random.whole(1, 2) : isCrowded ? random.oneOf([1, 1, 3]) : 3,
	);
	const isSoon = isCrowded || random.isTrue(0.5);
	const ifExternalIdExists = {
		own: 'create',
		chosen: 'create',
		unique: random.oneOf(['skip', 'skipSame', 'fail'] as const),
		acrossWorkers: 'skipAcrossWorkers',
		replace: 'replace',
	} as const;
	const items = Array.from({ length: isRace ? 1 : random.oneOf([1, 1, 1, 2, 3, 4]) }, (_, row) => ({
		...{ row, ...placed(random, emails) },
		...(family === 'own' ? {} : { externalId: random.oneOf(ids) }),
	}));
	const isBeginningKnown = random.isTrue(0.8);
	// Nothing tells rows of one person apart if they have moved.
	const isEdited = isBeginningKnown && random.isTrue(0.3);
	if (isEdited) items.forEach((item) => (item.email = EMAILS[item.row] as string));
	return {
		items,
		rows: rowsOf(random, items, isEdited),
		rounds: random.oneOf([1, 1, 1, 1, 1, 3]),
		...(random.isTrue(0.1) ? { cancelledAfter: random.between(0, 20_000) } : {}),
		ifExternalIdExists: ifExternalIdExists[family],
		sending: random.oneOf([
			...(['whileCreating', 'whileCreating', 'afterwards', 'afterwards'] as const),
			...(family === 'replace' ? [] : (['no'] as const)),
		]),
		version: family === 'replace' ? random.whole(1, 2) : 0,
		ifSendingFails: random.oneOf(['keep', 'delete']),
		isFromTemplate: random.isTrue(0.6),
		leftOut: random.oneOf([0, 0, 1, 2]),
		readsFirst: random.isTrue(0.3),
		continuesOnFail: random.isTrue(0.4),
		tries: random.whole(1, 3),
		pauseBetweenTries: random.oneOf([1000, 5000]),
		startsAt: BEGIN_MS + random.between(0, isCrowded ? 200 : isSoon ? 3000 : 3 * MINUTE_MS),
		process,
		isBeginningKnown,
		retries: Array.from({ length: areKilledAtWork ? 3 : random.whole(0, 3) }, () => ({
			delay:
				areKilledAtWork || random.isTrue(0.5)
					? random.between(0, 5000)
					: random.between(0, 5 * MINUTE_MS),
			process: random.whole(0, processes - 1),
			isSaved: random.isTrue(0.3),
			rows: rowsOf(random, items, isEdited),
			isOfFirst: random.isTrue(0.2),
			// Without an External ID, that creates them again.
			isNewRun: areKilledAtWork && random.isTrue(0.7),
		})),
	};
}

/** A spreadsheet as it is read at some time: rows may have been moved, removed or added since. */
function rowsOf(random: Random, items: ItemPlan[], isEdited: boolean): number[] {
	const rows = items.map(({ row }) => row);
	if (!isEdited) return rows;
	const from = random.whole(0, rows.length - 1);
	const [moved] = rows.splice(from, 1) as [number];
	if (random.isTrue(0.6)) rows.splice(random.whole(0, rows.length), 0, moved);
	return rows.length > 0 ? rows : [moved];
}
