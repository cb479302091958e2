import type { IHookFunctions, INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';

import { clock } from '../shared/api/clock';
import { messageOf } from '../shared/api/failure';
import { PerNode } from '../shared/n8n/remembered';
import { forgetPolls, look, mayBePublishing } from '../shared/polls/look';
import {
	cursorOf,
	forgetStored,
	isStorable,
	notePublished,
	readStored,
	storeByExecution,
	STORED_EVERY_MS,
	writeState,
	type Left,
} from '../shared/polls/stored';
import type { DocumensoEvent } from '../shared/events/event';
import { isSelected, type Selection } from '../shared/events/filters';
import { wasAccepted } from './deduplicate';
import { itemOf } from './emit';
import type { Settings } from './inputs';
import { isStarting } from './registration';

const MINUTE_MS = 60_000;

/** How old a state is at least when it is stored: what it has found has its execution in n8n's database by then. */
const STORED_AFTER_MS = 10 * MINUTE_MS;

/** The longest pause, in milliseconds, however large the account. */
const MAX_PAUSE_MS = 24 * 60 * MINUTE_MS;

/**
 * When to look first, in milliseconds. n8n stores what publishing has put into the static data when that has ended, and an
 * execution that had begun before would write over it.
 */
const FIRST_AFTER_MS = 10_000;

/** Registering may wait a minute for Documenso, but not when n8n starts. */
const FIRST_AFTER_REGISTERING_MS = 70_000;

/**
 * How long an event that was found is left to its delivery, in milliseconds, which may be under way: if both came to two
 * workers in the same moment, n8n's history could let both go on.
 */
const LEFT_TO_DELIVERY_MS = 30_000;

/** What this process knows of a node's checks. Times are milliseconds since the epoch, unless they say otherwise. */
class Watch {
	isLooking = false;
	/** What the last look left. Until then, what n8n has stored. */
	state?: string;
	/** When it looks again: milliseconds since the process began. */
	nextAt = 0;
	/** Whether the last look failed, which is in n8n's log already. */
	hasFailed = false;
	/** Events that were found, until n8n has started their executions. */
	readonly unstarted: Unstarted[] = [];
	/** The state to store, once it is old enough. */
	unstored?: Left;
	storedAt = 0;
}

interface Unstarted {
	event: DocumensoEvent;
	item: INodeExecutionData;
	foundAt: number;
}

const watches = new PerNode(() => new Watch());

/**
 * Starts an execution for each event that happened since the last look and that no delivery brought to this process. It
 * never throws: n8n would refuse to publish the workflow, or start an execution for the error.
 */
export async function check(context: IPollFunctions, settings: Settings): Promise<void> {
	const watch = watches.of(context);
	// By a clock that nobody sets: after one that is set back, nothing would be looked for until it has caught up.
	const now = clock.uptime();
	if (mayBePublishing(context)) {
		const registers = settings.isAutomatic && !isStarting(context);
		watch.nextAt = now + (registers ? FIRST_AFTER_REGISTERING_MS : FIRST_AFTER_MS);
	}
	if (!settings.findsMissed) return;
	try {
		startExecutions(context, watch, settings.selection());
		if (watch.isLooking || now < watch.nextAt) return;
		watch.isLooking = true;
		await lookAgain(context, watch, settings).finally(() => (watch.isLooking = false));
		watch.hasFailed = false;
	} catch (error) {
		watch.nextAt = now + MINUTE_MS;
		const { name } = context.getWorkflow();
		const warning = `The workflow '${name}' could not look for missed events of Documenso, and tries again every minute: ${messageOf(error)}`;
		if (!watch.hasFailed) context.logger.warn(warning);
		watch.hasFailed = true;
	}
}

/**
 * Prepares what n8n has stored of the checks for a workflow that is published, or that n8n starts. n8n stores the static data
 * afterwards.
 */
export function prepareChecks(context: IHookFunctions, { findsMissed }: Settings) {
	// Another main process has looked since; or what happens while this is off must not be found later.
	const isOutdated = context.getActivationMode() === 'leadershipChange' || !findsMissed;
	// A look that is under way must not bring it back.
	if (isOutdated) {
		watches.end(context);
		forgetPolls(context);
	}
	if (!findsMissed || !isStorable(context)) forgetStored(context);
	if (findsMissed && !isStarting(context)) notePublished(context);
}

async function lookAgain(context: IPollFunctions, watch: Watch, settings: Settings) {
	const began = clock.now();
	const beganAt = clock.uptime();
	const selection = settings.selection();
	const stored = readStored(context);
	watch.state ??= stored.state;
	const looked = await look(context, { ...stored, state: watch.state });
	// It goes on; or the workflow was published again meanwhile, and what this look has seen is no longer wanted.
	if (!looked || watches.of(context) !== watch) return;
	const { client, events, after, isFirst } = looked;
	if (isFirst && watch.state !== undefined) {
		context.logger.warn(
			`The API token or the base URL of '${context.getNode().name}' was replaced. Events from before are not looked for, and executions that wait for documents of the other account are not woken: cancel them, or let their time limit end them.`,
		);
	}
	const foundAt = clock.now();
	const wanted = events
		.filter((event) => isSelected(event, selection) && !wasAccepted(context, event.eventId))
		.map((event) => ({ event, item: itemOf(client, event, settings), foundAt }));
	watch.unstarted.push(...wanted);
	// Only now: what could not be read or made into items is found by the next look.
	watch.state = after;
	const perMs = (client.requestsPerMinute * settings.checkShare) / MINUTE_MS;
	watch.nextAt = beganAt + Math.min(client.answers / perMs, MAX_PAUSE_MS);
	store(context, watch, { state: after, at: began }, isFirst);
}

/** Starts an execution for each event that has been left to its delivery for long enough, and that none has brought. */
function startExecutions(context: IPollFunctions, watch: Watch, selection: Selection) {
	const now = clock.now();
	for (const one of watch.unstarted.splice(0)) {
		// The workflow may have been published with other events or filters meanwhile.
		if (!isSelected(one.event, selection)) continue;
		const age = now - one.foundAt;
		// The clock may have been set back.
		if (age >= 0 && age < LEFT_TO_DELIVERY_MS) {
			watch.unstarted.push(one);
		} else if (!wasAccepted(context, one.event.eventId)) {
			const end = context.helpers.createDeferredPromise<IRun | undefined>();
			// If n8n cannot start it (its database may be gone), the next poll does. One that was started is recognised.
			end.promise.catch(() => watch.unstarted.push(one));
			context.__emit([[one.item]], undefined, end);
		}
	}
}

/** n8n stores what a poll knows only with an execution, and then as it was for the poll, with the data of other nodes. */
function store(context: IPollFunctions, watch: Watch, latest: Left, isFirst: boolean) {
	watch.unstored ??= latest;
	const left = isFirst ? latest : watch.unstored;
	// After a restart, these have to be found again.
	if (watch.unstarted.some(({ foundAt }) => foundAt <= latest.at - STORED_AFTER_MS)) return;
	// Also if the clock was set back.
	const hasPassed = (ms: number, since: number) => Math.abs(latest.at - since) >= ms;
	const isDue = hasPassed(STORED_AFTER_MS, left.at) && hasPassed(STORED_EVERY_MS, watch.storedAt);
	// What a first look has found has to be found again, too.
	const isFirstState = isFirst && watch.unstarted.length === 0;
	if (!isFirstState && !isDue) return;
	if (cursorOf(context)) writeState(context, left);
	else storeByExecution(context, left);
	watch.storedAt = latest.at;
	watch.unstored = undefined;
}
