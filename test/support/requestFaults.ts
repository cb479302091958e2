import type { Fault } from '../../emulator';
import { STALL_MS } from './timeout';

/** Something that goes wrong with one request. */
export interface RequestFault {
	fault: Fault;
	/** Whether the client recovers from it by itself, for any request. */
	isHarmless?: boolean;
	/** Whether Documenso has done what it was asked for. */
	isDone?: boolean;
	/** Whether the client retries a read at once. */
	isPassing?: boolean;
	/** Whether Documenso seems not to have been reached, so that even a change that cannot be looked for is tried again. */
	isElsewhere?: boolean;
	/** Whether the request hangs, so that it has to be given up. */
	isStall?: boolean;
}

const page = {
	headers: { 'content-type': 'text/html' },
	body: '<html><body>Bad gateway</body></html>',
};
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
	'a page of something else’s, nothing done': {
		fault: { status: 200, ...page },
		isElsewhere: true,
	},
	'a page of something else’s, done': {
		fault: { status: 200, ...page, ...done },
		isDone: true,
		isElsewhere: true,
	},
	'204 without a body, done': { fault: { status: 204, body: '', ...done }, isDone: true },
};
