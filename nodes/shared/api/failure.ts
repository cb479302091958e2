import type { IDataObject } from 'n8n-workflow';

/** What a failed request has done. One that only reads is always `refused`. */
export type Outcome =
	/** Nothing. */
	| 'refused'
	/** Perhaps a part: it failed at Documenso. */
	| 'failed'
	/** Nobody knows: the answer was lost, or came from a proxy on the way. */
	| 'unknown'
	/** Probably nothing: something else answered, for example because the base URL is wrong. */
	| 'elsewhere'
	/** Nothing: it was never sent. */
	| 'unsent';

export interface FailureFacts {
	/** Documenso's own sentence, or what happened instead of an answer. */
	message: string;
	outcome: Outcome;
	/** What was asked and answered, for whoever debugs it. */
	origin?: string;
	/** HTTP status; none without an answer. */
	status?: number;
	/** Documenso's code, or the one of a broken connection. */
	code?: string;
	/** It was not sent, or a redirect not followed: the address is blocked, or the redirects lead in circles. */
	isBlocked?: boolean;
	/** Seconds that Documenso asks to wait. */
	retryAfter?: number;
	/** What to do, where a step knows better than the code and the status tell. */
	advice?: string;
	/** Who seems to have answered; undefined without an answer. */
	source?: 'documenso' | 'elsewhere' | 'unreadable';
	/** What the steps around the request know: what exists now, and what to do about it; the outermost step first. */
	notes?: string[];
	/** What those steps know, for programs. */
	details?: IDataObject;
}

/** A request that did not succeed. It is never changed: a step that knows more throws a new one. */
export class ApiFailure extends Error {
	override readonly name = 'ApiFailure';

	constructor(readonly facts: FailureFacts) {
		super(facts.message);
	}

	/** The same failure, with what a step around the request knows. */
	withNote(note: string, details: IDataObject = {}): ApiFailure {
		return new ApiFailure({
			...this.facts,
			notes: [note, ...(this.facts.notes ?? [])],
			details: { ...this.facts.details, ...details },
		});
	}

	/** The same with another message, because Documenso calls everything by the same name. */
	withMessage(message: string): ApiFailure {
		return new ApiFailure({ ...this.facts, message });
	}

	/** The same with a message and advice of ours; Documenso's own message goes to the end of the description. */
	withAdvice(message: string, advice: string): ApiFailure {
		const origin = `Documenso says: ${this.message}. ${this.facts.origin ?? ''}`;
		return new ApiFailure({ ...this.facts, message, advice, origin });
	}
}

/** The failure of a list that has fewer records than its own count. */
export function incompleteListFailure(records: number, count: number): ApiFailure {
	return new ApiFailure({
		message: 'Documenso listed fewer documents than it counts, so the node cannot tell which exist',
		outcome: 'refused',
		origin: `${records} of ${count} came, in three readings.`,
		source: 'unreadable',
		advice: 'Run it again; if it fails again, check the proxy or cache in front of Documenso.',
	});
}

/** The failure of a read that a cache has answered, though it was asked not to. */
export function cachedFailure(age: number): ApiFailure {
	return new ApiFailure({
		message: `A cache in front of Documenso gave an answer that is ${age} s old`,
		outcome: 'refused',
		source: 'unreadable',
		advice: 'Turn off caching for /api in the proxy in front of Documenso.',
	});
}

/** The failure of a change whose answer belongs to another request. */
export function foreignAnswerFailure(what: string): ApiFailure {
	return new ApiFailure({
		message: "Documenso's answer belongs to another request",
		outcome: 'unknown',
		origin: what,
		source: 'unreadable',
		advice: 'A proxy or cache between n8n and Documenso seems to mix up answers.',
	});
}

/** The same of a read, which can be tried again. */
export function foreignReadFailure(what: string): ApiFailure {
	const { facts } = foreignAnswerFailure(what);
	const advice = `${facts.advice} Check it, and try again.`;
	return new ApiFailure({ ...facts, outcome: 'refused', advice });
}

/** Notes what a step knows about a failure of the API; any other error stays as it is. */
export function withNote(error: unknown, note: string, details: IDataObject = {}): unknown {
	return error instanceof ApiFailure ? error.withNote(note, details) : error;
}

/** The same after a step that has changed something, so that a retry must not start over. */
export function afterAChange(error: unknown, note: string, details: IDataObject = {}): unknown {
	if (!(error instanceof ApiFailure)) return error;
	return new ApiFailure({ ...error.withNote(note, details).facts, outcome: 'failed' });
}

export function hasCode(error: unknown, code: string): boolean {
	return error instanceof ApiFailure && error.facts.code === code;
}

/** Documenso knows no such thing. A proxy's answer without a code says nothing about that. */
export function isNotFound(error: unknown): error is ApiFailure {
	return hasCode(error, 'NOT_FOUND');
}

/** For a read by ID: undefined if there is no such thing any more. */
export function orDeleted(error: unknown): undefined {
	if (!isNotFound(error)) throw error;
}

export function hasStatus(error: unknown, status: number): boolean {
	return error instanceof ApiFailure && error.facts.status === status;
}

function hasOutcome(error: unknown, ...outcomes: Outcome[]): boolean {
	return error instanceof ApiFailure && outcomes.includes(error.facts.outcome);
}

/** Whether nobody knows if the request took effect. */
export function isOutcomeUnknown(error: unknown): boolean {
	return hasOutcome(error, 'unknown');
}

/** Whether something else answered in Documenso's place, so that the request has probably done nothing. */
export function isElsewhere(error: unknown): boolean {
	return hasOutcome(error, 'elsewhere');
}

/** Whether a failed request may have changed something, so that sending it again could change it twice. */
export function mayLeaveTraces(error: unknown): boolean {
	return hasOutcome(error, 'unknown', 'failed') || hasCode(error, 'DOCUMENT_SEND_FAILED');
}

/** Whether a failed request may have taken effect, or may still: all but Documenso's own refusal. */
export function mayHaveEffect(error: unknown): boolean {
	return mayLeaveTraces(error) || isElsewhere(error);
}

/** What went wrong, in a sentence for a log. */
export function messageOf(caught: unknown): string {
	return caught instanceof Error ? caught.message : String(caught);
}

export function shortened(text: string, length: number): string {
	return text.length > length ? `${text.slice(0, length)}…` : text;
}
