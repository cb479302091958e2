import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { answerFailure, connectionFailure } from '../../../nodes/shared/api/failedRequest';
import type { ApiFailure } from '../../../nodes/shared/api/failure';
import { leftOutAddress } from '../../../nodes/shared/envelope/leftOut';
import type { Random } from '../../support/random';
import type { VirtualTime } from '../../support/virtualTime';
import type { PersonalAct } from './schedule';

/** Who has asked for a document: a row of a line of executions. */
export interface Origin {
	line: number;
	row: number;
}

export interface SimulatedDocument {
	id: string;
	/** Without markers. */
	externalId: string;
	/** Of executions that wait for it. */
	markers: string[];
	/** Whether an update of it took effect late, and may have replaced the marker of another execution. */
	isOvertaken?: boolean;
	email: string;
	/** Which version of the contract it holds. */
	version: number;
	signedAt?: number;
	/** If it was cancelled: why. */
	cancelledFor?: string;
	/** The IDs of those who are left out, and still in it. */
	leftOut: number[];
	folderId?: string;
	origin?: Origin;
	createdAt: number;
	sentAt?: number;
	/** The line of executions that sent it; undefined if a person did. */
	sentBy?: number;
	/** When the try began that has sent it. */
	sendingBegan?: number;
	endedAt?: number;
	deletedAt?: number;
	/** A list shows it although it is deleted. */
	isGhost: boolean;
}

/** What one request asks for, and for which line of executions. */
export interface SimulatedRequest {
	method: 'GET' | 'POST';
	path: string;
	/** Its body or query. */
	content: IDataObject;
	line: number;
	/** The run of the node that asks, and when its try began. */
	run: Pick<IExecuteFunctions, 'getExecutionId'>;
	tryBegan: number;
}

/** What can go wrong in a schedule. */
export interface Weather {
	/** How many of the requests that change something go wrong, from 0 to 1. */
	changes: number;
	reads: number;
	effects: readonly Effect[];
	answers: readonly WrongAnswer[];
	/** The most milliseconds that a list is behind. */
	lag: number;
	ghosts: number;
	/** How many requests take up to 15 seconds. */
	slow: number;
	/** How many of the pages behind a list's first one come empty, or hold what is on the first. */
	incomplete: number;
}

export const EFFECTS = ['now', 'late', 'never'] as const;
type Effect = (typeof EFFECTS)[number];

export const WRONG_ANSWERS = [
	'lost',
	'timeOut',
	'failed',
	'elsewhere',
	'refused',
	'unsent',
	'sendFailed',
	'foreign',
] as const;
type WrongAnswer = (typeof WRONG_ANSWERS)[number];

type Wanted = Pick<SimulatedDocument, 'externalId' | 'email' | 'version'>;

function isSame(one: Wanted, other: Wanted): boolean {
	return one.version === other.version && one.email.toLowerCase() === other.email.toLowerCase();
}

/** How long the answer to a read takes at most, in milliseconds: what has happened since, nobody has seen. */
const LONGEST_READ_MS = 15_000;
const BY_PERSON = 'A person';
/** By this, a refusal is Documenso's own. */
const REFUSED = { code: 'BAD_REQUEST', httpStatus: 400 };
/** The longest after an answer that a request takes effect: less than the age that settles a doubt. */
const LATEST_MS = 100_000;
export const EPOCH = Date.parse('2026-01-01T00:00:00Z');
export const FOLDER = 'folder_1';

interface Answered {
	run: object;
	email: string;
	row: number;
	answer: IDataObject;
}

/** A Documenso in memory, and what lies between it and n8n. */
export class SimulatedService {
	readonly documents: SimulatedDocument[] = [];
	/** What must never happen, but has. */
	readonly faults: string[] = [];
	readonly trace: string[] = [];
	/** The lines whose requests are answered without recipients, as those that create a document from files. */
	readonly terse = new Set<number>();
	/** Which documents the lines want that replace others. */
	readonly wanted = new Map<number, Wanted[]>();
	/** The lines whose executions wait for their documents, so that each must be marked before it is sent. */
	readonly waiting = new Set<number>();
	private readonly answers: Answered[] = [];
	/** By run and list: how far behind all pages of a list show each document, in milliseconds. */
	private readonly views = new WeakMap<object, Map<string, Map<string, number>>>();

	constructor(
		private readonly time: VirtualTime,
		private readonly random: Random,
		private readonly weather: Weather,
		/** Milliseconds that its clock is ahead. */
		private readonly clock: number,
		/** Whether documents with one external ID must not be sent twice. */
		private readonly isUnique: boolean,
	) {}

	note(text: string) {
		this.trace.push(`${(this.time.now / 1000).toFixed(2).padStart(8)}  ${text}`);
	}

	/** Carries out a request. It takes effect, if it does, even if its process has ended before `answer`. */
	request(
		request: SimulatedRequest,
		answer: (result: { value: unknown } | { failure: ApiFailure }) => void,
	) {
		const { random, time, weather } = this;
		const { method, path, content } = request;
		const isRead = method === 'GET' || path === '/envelope/get-many';
		const duration = random.isTrue(weather.slow)
			? random.between(0, 15_000)
			: random.between(10, 300);
		const arrives = random.between(0, duration);
		const label = `line ${request.line}: ${method} ${path}`;
		if (isRead) {
			time.after(arrives, () => {
				const isWrong = random.isTrue(weather.reads);
				const result = isWrong ? { failure: lost(true) } : this.read(request);
				const shown = isWrong ? 'LOST' : shownAnswer(result);
				time.after(duration - arrives, () => {
					this.note(`${label} ${JSON.stringify(content)} → ${shown}`);
					answer(result);
				});
			});
			return;
		}
		const isWrong = random.isTrue(weather.changes) && weather.answers.length > 0;
		const kind = isWrong ? random.oneOf(weather.answers) : 'right';
		const effect = this.effectOf(kind, path);
		this.note(`${label} ${JSON.stringify(content)} [effect ${effect}, answer ${kind}]`);
		let result: ReturnType<SimulatedService['change']> = { failure: lost(false) };
		const askedAt = time.now;
		const takeEffect = () => {
			result = this.change(request, askedAt, { isSendingToFail: kind === 'sendFailed', effect });
			this.note(`${label} takes effect: ${shownAnswer(result)}`);
		};
		if (effect === 'now') time.after(arrives, takeEffect);
		const lateness = random.isTrue(0.5)
			? random.between(100, 5000)
			: random.between(100, LATEST_MS);
		if (effect === 'late') time.after(duration + lateness, takeEffect);
		time.after(duration, () => {
			const said = this.said(kind, request, result);
			this.note(`${label} is answered: ${shownAnswer(said)}`);
			answer(said);
		});
	}

	private effectOf(kind: WrongAnswer | 'right', path: string): Effect {
		const { random, weather } = this;
		if (kind === 'right') return 'now';
		if (kind === 'refused' || kind === 'unsent') return 'never';
		if (kind === 'sendFailed') return 'now';
		const effect = random.oneOf(weather.effects);
		// Documenso's own failure to send is final.
		const isFinal = kind === 'failed' && path === '/envelope/distribute';
		return isFinal && effect === 'late' ? 'never' : effect;
	}

	private said(
		kind: WrongAnswer | 'right',
		request: SimulatedRequest,
		result: { value: IDataObject } | { failure: ApiFailure },
	): { value: IDataObject } | { failure: ApiFailure } {
		const { content, run } = request;
		const isCreation = request.path === '/envelope/use';
		const email = emailIn(content);
		switch (kind) {
			case 'right':
				if (isCreation && 'value' in result) {
					const { row } = originOf(request);
					this.answers.push({ run, email, row, answer: result.value });
				}
				return result;
			case 'lost':
				return { failure: lost(false) };
			case 'timeOut':
				return { failure: answered(request, 504, '<html>Gateway Time-out</html>') };
			case 'failed':
				return {
					failure: answered(request, 500, { message: 'Oops', code: 'INTERNAL_SERVER_ERROR' }),
				};
			case 'elsewhere':
				return { failure: answered(request, 200, '<html>Sign in</html>') };
			case 'refused':
				return { failure: answered(request, 400, { message: 'No', code: 'INVALID_BODY' }) };
			case 'unsent':
				return { failure: connectionFailure(errorWith('ECONNREFUSED'), false, 'documenso') };
			case 'sendFailed':
				return isCreation && content.distributeDocument === true
					? { failure: sendFailure(request) }
					: { failure: answered(request, 500, { message: 'Oops', code: 'INTERNAL_SERVER_ERROR' }) };
			case 'foreign': {
				// What cannot be seen is an assumption: see simulation.test.ts.
				if (!isCreation) return { failure: lost(false) };
				const origin = originOf(request);
				const foreign = this.answers.filter(
					(one) =>
						(one.email !== email && !this.terse.has(origin.line)) ||
						(one.run === run && one.row !== origin.row),
				);
				if (foreign.length === 0) return { failure: lost(false) };
				return { value: this.random.oneOf(foreign).answer };
			}
		}
	}

	/** Carries out a change, and returns the right answer. */
	private change(
		request: SimulatedRequest,
		askedAt: number,
		{ isSendingToFail, effect }: { isSendingToFail: boolean; effect: Effect },
	): { value: IDataObject } | { failure: ApiFailure } {
		const { path, content } = request;
		if (path === '/envelope/use') {
			const origin = originOf(request);
			const document = this.add({
				externalId: content.externalId as string,
				email: emailIn(content),
				version: versionIn(content),
				folderId: content.folderId as string | undefined,
				origin,
			});
			const { length } = (content.recipients as unknown[]).slice(1);
			const number = numberOf(document);
			document.leftOut = Array.from({ length }, (_, index) => number * 10 + index);
			if (content.distributeDocument === true && !isSendingToFail) this.send(document, request);
			return { value: answerOf(document) };
		}
		if (path === '/envelope/recipient/delete') return this.takeOut(request);
		const document = this.find(content.envelopeId as string);
		if (!document) return { failure: answered(request, 500, { message: 'Document not found' }) };
		if (path === '/envelope/distribute') {
			this.send(document, request);
			return { value: { success: true, ...answerOf(document) } };
		}
		if (path === '/envelope/cancel') return this.cancel(document, request, askedAt);
		if (path === '/envelope/update') {
			const { externalId } = content.data as { externalId: string };
			document.markers = markersOf(externalId);
			document.isOvertaken ||= effect === 'late';
			return { value: { id: document.id } };
		}
		if (document.sentAt !== undefined) {
			// A person may send it between the check and the deletion, which may take effect late.
			const isSentSince = document.sentBy === undefined && document.sentAt > askedAt - 20_000;
			if (!isSentSince) this.faults.push(`The sent document ${document.id} was deleted`);
		}
		if (document.origin?.line !== request.line) {
			this.faults.push(`${document.id} was deleted, which somebody else had created`);
		}
		document.deletedAt = this.time.now;
		return { value: { success: true } };
	}

	private cancel(
		document: SimulatedDocument,
		{ content, line, path, method }: SimulatedRequest,
		askedAt: number,
	): { value: IDataObject } | { failure: ApiFailure } {
		const { id, sentAt, endedAt, signedAt = Infinity } = document;
		if (sentAt === undefined || endedAt !== undefined) {
			const body = { message: 'Not pending', code: 'INVALID_REQUEST', data: REFUSED };
			return { failure: answered({ method, path }, 400, body) };
		}
		const wanted = this.wanted.get(line) ?? [];
		const its = wanted.filter(({ externalId }) => externalId === document.externalId);
		if (its.length > 0 && its.every((one) => isSame(one, document))) {
			this.faults.push(`${id} was cancelled, which says the same`);
		}
		if (signedAt < askedAt - LONGEST_READ_MS) {
			this.faults.push(`${id} was cancelled, which somebody had signed`);
		}
		document.endedAt = this.time.now;
		document.cancelledFor = content.reason as string;
		return { value: { success: true } };
	}

	private takeOut(request: SimulatedRequest): { value: IDataObject } | { failure: ApiFailure } {
		const id = request.content.recipientId as number;
		const document = this.documents.find(
			({ leftOut, deletedAt }) => deletedAt === undefined && leftOut.includes(id),
		);
		if (!document) {
			return {
				failure: answered(request, 404, { message: 'Document not found', code: 'NOT_FOUND' }),
			};
		}
		document.leftOut = document.leftOut.filter((one) => one !== id);
		return { value: { success: true } };
	}

	add(
		document: Pick<SimulatedDocument, 'externalId' | 'email' | 'folderId' | 'origin'> &
			Partial<Pick<SimulatedDocument, 'version'>>,
	) {
		const added: SimulatedDocument = {
			version: 0,
			...document,
			leftOut: [],
			externalId: stored(withoutMarkers(document.externalId)),
			markers: markersOf(document.externalId),
			id: `envelope_${this.documents.length + 1}`,
			createdAt: this.time.now,
			isGhost: this.random.isTrue(this.weather.ghosts),
		};
		this.documents.push(added);
		return added;
	}

	private send(document: SimulatedDocument, { line, run, tryBegan }: SimulatedRequest) {
		if (document.sentAt !== undefined) return;
		const isMarked = document.markers.some((marker) =>
			marker.includes(`:${run.getExecutionId()}:`),
		);
		if (this.waiting.has(line) && !isMarked && !document.isOvertaken) {
			this.faults.push(`${document.id} was sent without the marker of its execution`);
		}
		const others = this.documents.filter(
			(other) =>
				this.isSame(other, document) &&
				other.deletedAt === undefined &&
				// With one external ID for all, a draft counts more than what was rejected.
				(other.endedAt === undefined || !this.isUnique) &&
				other.sentAt !== undefined &&
				// A person may send one while the node is at work.
				(other.sentBy !== undefined || other.sentAt < tryBegan - 3000),
		);
		document.sentAt = this.time.now;
		document.sentBy = line;
		document.sendingBegan = tryBegan;
		if (document.leftOut.length > 0) {
			this.faults.push(`${document.id} was sent to somebody who is left out`);
		}
		const signed = this.documents.find(
			(other) =>
				this.isSame(other, document) &&
				other.cancelledFor !== undefined &&
				(other.signedAt ?? Infinity) < this.time.now - LONGEST_READ_MS &&
				(other.endedAt ?? 0) > tryBegan,
		);
		const [last] = this.documents
			.filter((other) => this.isSame(other, document) && other.endedAt !== undefined)
			.sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
		const isByPerson =
			last?.cancelledFor === BY_PERSON &&
			(last.endedAt ?? Infinity) < this.time.now - 2 * LONGEST_READ_MS - 5000;
		if (isByPerson && this.wanted.has(line)) {
			this.faults.push(`${document.id} was sent, though a person has cancelled ${last.id}`);
		}
		if (signed) this.faults.push(`${document.id} was sent, and ${signed.id} was signed before`);
		for (const other of others) {
			this.faults.push(`${document.id} was sent, and ${other.id} too (${document.externalId})`);
		}
	}

	private isSame(one: SimulatedDocument, other: SimulatedDocument): boolean {
		if (one.id === other.id) return false;
		if (this.isUnique) return one.externalId === other.externalId;
		const { origin } = one;
		return (
			origin !== undefined && origin.line === other.origin?.line && origin.row === other.origin.row
		);
	}

	find(id: string): SimulatedDocument | undefined {
		return this.documents.find((one) => one.id === id && one.deletedAt === undefined);
	}

	private read(request: SimulatedRequest): { value: IDataObject } | { failure: ApiFailure } {
		const { path, content } = request;
		if (path === '/folder') return { value: pageOf([{ id: FOLDER, name: 'Folder' }], content) };
		if (path === '/envelope') return { value: this.page(request) };
		if (path === '/envelope/get-many') {
			const { ids } = content.ids as { ids: string[] };
			const found = ids.flatMap((id) => this.find(id) ?? []);
			return { value: { data: found.map((one) => this.formatted(one)) } };
		}
		const document = this.find(path.split('/')[2] ?? '');
		if (document && path.endsWith('/audit-log')) return { value: this.log(document, content) };
		if (document) return { value: this.formatted(document) };
		return {
			failure: answered(request, 404, { message: 'Envelope not found', code: 'NOT_FOUND' }),
		};
	}

	private log({ cancelledFor, endedAt = 0 }: SimulatedDocument, content: IDataObject) {
		const entry = {
			...{ id: 'entry', type: 'DOCUMENT_CANCELLED', data: { reason: cancelledFor } },
			createdAt: new Date(EPOCH + endedAt).toISOString(),
		};
		return pageOf(cancelledFor === undefined ? [] : [entry], content);
	}

	private page({ content, run }: SimulatedRequest): IDataObject {
		const { random, weather } = this;
		const { page, ...list } = content;
		const views = this.views.get(run) ?? new Map<string, Map<string, number>>();
		this.views.set(run, views);
		const key = JSON.stringify(list);
		const view = (page === 1 ? undefined : views.get(key)) ?? new Map<string, number>();
		views.set(key, view);
		const listed = this.listed(content, view);
		const isRight = page === 1 || !random.isTrue(weather.incomplete);
		if (isRight) return pageOf(listed, content);
		const data = random.isTrue(0.5) ? [] : pageOf(listed, { ...content, page: 1 }).data;
		return { ...pageOf(listed, content), data };
	}

	/** Of each document, a list shows what is true now, or what was true at most a lag ago. */
	private listed({ query = '', folderId }: IDataObject, view: Map<string, number>): IDataObject[] {
		// It is a pattern: what is no wildcard is escaped.
		const text = (query as string).replace(/\\(.)/g, '$1').toLowerCase();
		return this.documents
			.filter(
				(one) =>
					one.folderId === folderId &&
					[one.externalId, one.email].some((value) => value.toLowerCase().includes(text)),
			)
			.flatMap((one) => {
				const isBehind = this.random.isTrue(0.5);
				const age = view.get(one.id) ?? (isBehind ? this.random.between(0, this.weather.lag) : 0);
				view.set(one.id, age);
				const seenAt = this.time.now - age;
				const isGone = !one.isGhost && one.deletedAt !== undefined && one.deletedAt <= seenAt;
				return isGone || one.createdAt > seenAt ? [] : [this.formatted(one, seenAt)];
			})
			.reverse();
	}

	private formatted(document: SimulatedDocument, seenAt = this.time.now): IDataObject {
		const { id, createdAt, sentAt = Infinity, endedAt = Infinity } = document;
		return {
			id,
			secondaryId: id.replace('envelope', 'document'),
			type: 'DOCUMENT',
			title: 'Contract',
			status: endedAt <= seenAt ? endOf(document) : sentAt <= seenAt ? 'PENDING' : 'DRAFT',
			externalId: [document.externalId, ...document.markers].join(' '),
			createdAt: new Date(EPOCH + createdAt + this.clock).toISOString(),
			team: { url: 'demo' },
			recipients: recipientsOf(document, seenAt),
			fields: signaturesOf(document),
			envelopeItems: [],
		};
	}

	/** What somebody does on Documenso's own pages. */
	byPerson(act: PersonalAct) {
		const open = this.documents.filter(({ deletedAt }) => deletedAt === undefined);
		if (open.length === 0) return;
		const document = this.random.oneOf(open);
		this.note(`a person: ${act} ${document.id}`);
		if (act === 'delete') document.deletedAt = this.time.now;
		if (act === 'move') document.folderId = document.folderId === FOLDER ? undefined : FOLDER;
		if (act === 'send') document.sentAt ??= this.time.now;
		const isPending = document.sentAt !== undefined && document.endedAt === undefined;
		if (act === 'reject' && isPending) document.endedAt = this.time.now;
		if (act === 'sign' && isPending) document.signedAt ??= this.time.now;
		if (act === 'cancel' && isPending) {
			document.endedAt = this.time.now;
			document.cancelledFor = BY_PERSON;
		}
	}
}

const MARKER = / ?n8n-wait:\S*/g;

function withoutMarkers(externalId: string): string {
	return externalId.replace(MARKER, '');
}

function markersOf(externalId: string): string[] {
	return (externalId.match(MARKER) ?? []).map((marker) => marker.trim());
}

/** Half a character is no text. */
export function stored(text: string): string {
	return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Titles say which row a document is for. */
function originOf({ content, line }: SimulatedRequest): Origin {
	const { title } = content.override as { title: string };
	return { line, row: Number(title.replace(/\D/g, '')) };
}

/** Names say which version of the contract a document is. */
function versionIn({ recipients }: IDataObject): number {
	const [recipient] = (recipients ?? []) as Array<{ name: string }>;
	return Number(recipient?.name.replace(/\D/g, '') ?? 0);
}

export function nameIn(version: number): string {
	return `Somebody ${version}`;
}

function endOf({ cancelledFor }: SimulatedDocument): string {
	return cancelledFor === undefined ? 'REJECTED' : 'CANCELLED';
}

function emailIn({ recipients }: IDataObject): string {
	const [recipient] = (recipients ?? []) as Array<{ email: string }>;
	return recipient?.email ?? '';
}

function numberOf({ id }: Pick<SimulatedDocument, 'id'>): number {
	return Number(id.replace(/\D/g, ''));
}

function recipientsOf(document: SimulatedDocument, seenAt = Infinity): IDataObject[] {
	const { email, leftOut, sentAt, version, signedAt = Infinity } = document;
	const isSigned = signedAt < seenAt;
	const others = leftOut.map((id) => ({ id, email: leftOutAddress(id) }));
	const people = [{ id: numberOf(document), email: email.toLowerCase() }, ...others];
	return people.map(({ id, ...one }) => ({
		...{ id, ...one, name: nameIn(version), role: 'SIGNER' },
		...{ token: `token${id}`, signingOrder: 1 },
		...{ signingStatus: isSigned ? 'SIGNED' : 'NOT_SIGNED' },
		...{ signedAt: isSigned ? new Date(EPOCH + signedAt).toISOString() : null },
		sendStatus: sentAt === undefined ? 'NOT_SENT' : 'SENT',
	}));
}

/** Everybody signs, each in another place. */
function signaturesOf(document: SimulatedDocument): IDataObject[] {
	return recipientsOf(document).map(({ id }, index) => ({
		...{ id, type: 'SIGNATURE', recipientId: id, envelopeItemId: 'item', page: 1 },
		...{ positionX: 10, positionY: 10 * index, width: 20, height: 5 },
	}));
}

function answerOf(document: SimulatedDocument): IDataObject {
	return { id: document.id, recipients: recipientsOf(document) };
}

function pageOf(all: IDataObject[], { page, perPage }: IDataObject) {
	const [number, size] = [page as number, perPage as number];
	const data = all.slice((number - 1) * size, number * size);
	const totalPages = Math.ceil(all.length / size);
	return { data, count: all.length, currentPage: number, perPage: size, totalPages };
}

function errorWith(code: string): Error {
	return Object.assign(new Error('socket hang up'), { code });
}

function lost(isRead: boolean): ApiFailure {
	return connectionFailure(errorWith('ECONNRESET'), isRead, 'documenso');
}

function answered(
	{ method, path }: Pick<SimulatedRequest, 'method' | 'path'>,
	status: number,
	body: unknown,
): ApiFailure {
	const isRead = method === 'GET';
	return answerFailure({
		asked: `${method} ${path}`,
		isRead,
		status,
		body,
		waited: 0,
		mask: (text) => text,
	});
}

function sendFailure(request: SimulatedRequest): ApiFailure {
	const appError = { code: 'DOCUMENT_SEND_FAILED', message: 'Failed' };
	return answered(request, 400, { message: 'Failed', data: { appError } });
}

function shownAnswer(result: { value: unknown } | { failure: ApiFailure }): string {
	if ('failure' in result) {
		const { outcome, status, code } = result.failure.facts;
		return [outcome, status, code].filter(Boolean).join(' ');
	}
	const { data, id, status } = result.value as {
		data?: Array<{ id: string; status?: string }>;
		id?: string;
		status?: string;
	};
	if (data) return `[${data.map((one) => [one.id, one.status].join(' ')).join(', ')}]`;
	return [id, status].filter(Boolean).join(' ');
}
