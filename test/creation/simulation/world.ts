import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { creating } from '../../../nodes/Documenso/creation/creating';
import { externalIdOf, type NewDocument } from '../../../nodes/Documenso/creation/newDocument';
import { clock } from '../../../nodes/shared/api/clock';
import { jsonBody } from '../../../nodes/shared/api/body';
import type { Operation } from '../../../nodes/Documenso/engine/operation';
import { sentSchema } from '../../../nodes/Documenso/envelope/distribute';
import { idsOfLeftOut, leftOutAddress } from '../../../nodes/shared/envelope/leftOut';
import { emailingOf } from '../../../nodes/shared/envelope/whoCanSign';
import { waitedFor } from '../../../nodes/Documenso/waiting/sendMarked';
import { contextOf, SimulatedHistory, SimulatedProcess, type Saved } from './n8n';
import { Random } from '../../support/random';
import { nameIn, SimulatedService, stored, type Origin, type SimulatedDocument } from './service';
import type { ItemPlan, LinePlan, RetryPlan, Schedule } from './schedule';
import { VirtualTime } from '../../support/virtualTime';

/** The template that all documents are made from: one signer, and others who may be left out. */
export const TEMPLATE = { id: 'envelope_mutualndatemplat', recipient: 3, optional: [901, 902] };

/** Why an item could not be planned: then it is not known for which document it asks. */
const UNPLANNED = 'The template cannot be read';

/** Creates the documents of a line of executions with the real code, which marks them if `isWaiting`. */
export function operationFor(line: LinePlan, isWaiting = false): Operation {
	return creating({
		name: 'Create',
		value: 'create',
		action: 'Create a document',
		description: 'Create a document',
		returns: '`id`',
		inputs: {},
		document: async (_, item) => {
			const { row, email, externalId, folderId } = item.json as unknown as ItemPlan;
			const id = externalIdOf(item, externalId);
			if (line.readsFirst) {
				await item.client
					.once('read first', async () => await item.client.get('/folder'))
					.catch(() => {
						throw new Error(UNPLANNED);
					});
			}
			const title = `Row ${row}`;
			const { sending, ifExternalIdExists, ifSendingFails } = line;
			const settings = { sending, ifExternalIdExists, ifSendingFails };
			const leftOut = TEMPLATE.optional.slice(0, line.leftOut);
			const document: NewDocument = {
				...{
					externalId: id,
					emails: [email],
					emailing: emailingOf(),
					leftOut: leftOut.map((one) => ({ name: String(one), role: 'SIGNER' })),
					folderId,
				},
				...settings,
				...(ifExternalIdExists === 'replace' ? { comparedWith: comparisonFor(line, email) } : {}),
				// Items with one external ID ask for one document.
				content: { payload: {}, files: [] },
				create: async (isSent, storedId = id.value) => {
					const payload = {
						...{ envelopeId: TEMPLATE.id, externalId: storedId, folderId, override: { title } },
						recipients: [
							{ id: TEMPLATE.recipient, email, name: nameIn(line.version) },
							...leftOut.map((one) => ({ id: one, email: leftOutAddress(one), name: 'Else' })),
						],
						distributeDocument: isSent,
					};
					const body = jsonBody({ payload });
					const answer = await item.client.post('/envelope/use', body, sentSchema);
					const status = isSent ? 'PENDING' : 'DRAFT';
					const json = { id: answer.id, title, status, externalId: id.value };
					const emails = answer.recipients.map((recipient) => recipient.email);
					const told = { emails, leftOut: idsOfLeftOut(answer) };
					return { id: answer.id, json, ...(line.isFromTemplate ? told : {}) };
				},
			};
			return isWaiting ? await waitedFor(document, item) : document;
		},
	});
}

/** A document is another one if it is for somebody else, or of another version. */
function comparisonFor({ version }: LinePlan, email: string): NewDocument['comparedWith'] {
	return ({ recipients: [first] }) => ({
		differences: [
			...(first?.name === nameIn(version) ? [] : ['version']),
			...(first?.email === email.toLowerCase() ? [] : ['email']),
		],
		doubts: [],
	});
}

/** An execution of a line, first or retried. */
interface Attempt {
	line: number;
	number: number;
	process: number;
	saved: Saved;
	rows: ItemPlan[];
	/** The round of the loop that it has come to. */
	round: number;
	counts: { requests: number; longWaits: number };
	/** When it began, or what it retries: earlier executions of the line answer for themselves. */
	begunAt: number;
	cancellation: AbortController;
	state: 'running' | 'killed' | 'failed' | 'done' | 'cancelled';
	cancelledAt?: number;
	endedAt?: number;
	/** Of the rounds that are done. */
	outputs: Array<{ round: number; output: INodeExecutionData[] }>;
	error?: unknown;
}

interface Line {
	plan: LinePlan;
	operation: Operation;
	attempts: Attempt[];
	begunAt?: number;
}

/** The items of a round: each has other rows, for the same people. */
function itemsIn({ rows }: Attempt, round: number): ItemPlan[] {
	return rows.map((item) => ({ ...item, row: round * 10 + item.row }));
}

/** The longest that the answer to a request takes. */
const LONGEST_REQUEST_MS = 15_000;
/** How long n8n takes to start, at least: longer than lists lag. */
const STARTING_MS = 4_000;
/** After this, nothing that a process has sent takes effect any more, in milliseconds. */
const SETTLED_MS = 130_000;
const HOUR_MS = 3_600_000;

/** Runs a schedule. */
export class World {
	readonly time = new VirtualTime();
	readonly random: Random;
	readonly service: SimulatedService;
	readonly lines: Line[];
	private readonly history = new SimulatedHistory(this.time);
	isOver = false;
	private readonly processes: SimulatedProcess[] = [];
	private readonly kills: number[];

	constructor(readonly schedule: Schedule) {
		const { seed, weather, serviceClock } = schedule;
		this.random = new Random(seed + 1e9);
		const isUnique = schedule.lines.some((line) => line.ifExternalIdExists !== 'create');
		this.service = new SimulatedService(this.time, this.random, weather, serviceClock, isUnique);
		this.kills = [...schedule.kills];
		this.lines = schedule.lines.map((plan, line) => {
			if (!plan.isFromTemplate) this.service.terse.add(line);
			if (plan.ifExternalIdExists === 'replace') {
				const wanted = plan.items.map(({ externalId = '', email }) => ({
					...{ externalId: stored(externalId), email, version: plan.version },
				}));
				this.service.wanted.set(line, wanted);
			}
			const isWaiting = plan.sending !== 'no' && seed % 2 === 0;
			if (isWaiting) this.service.waiting.add(line);
			return { plan, operation: operationFor(plan, isWaiting), attempts: [] };
		});
	}

	async run() {
		const { schedule, service, time } = this;
		clock.turn = async () => {
			await time.turn();
		};
		for (let slot = 0; slot < schedule.processes; slot++) this.start(slot);
		for (const { time: at, isSent, ...document } of schedule.documents) {
			time.at(at, () => {
				const created = service.add({ externalId: '', ...document });
				if (isSent) created.sentAt = time.now;
				const what = isSent ? 'and sends' : 'the draft';
				service.note(`a person creates ${what} ${created.id} ${JSON.stringify(document)}`);
			});
		}
		for (const { time: at, act } of schedule.persons) {
			time.at(at, () => {
				// A look at several folders misses what is moved meanwhile.
				if (act !== 'move' || !this.isAnyRunning()) service.byPerson(act);
			});
		}
		this.lines.forEach(({ plan }, line) => {
			time.at(plan.startsAt, () => {
				this.begin(line, { slot: plan.process, rows: plan.rows });
			});
		});
		this.isOver = await time.run(HOUR_MS);
	}

	private isAnyRunning(): boolean {
		return this.lines.some(({ attempts }) => attempts.some(({ state }) => state === 'running'));
	}

	/** A new process: one that has been there before the schedule begins, or in the place of one that was killed. */
	private start(slot: number) {
		const { random, service, time } = this;
		const earlier = random.between(0, 1e7);
		const uptime = this.processes[slot] ? -time.now : earlier;
		const clock = { ahead: random.between(-300_000, 300_000), uptime };
		const process = new SimulatedProcess({ service, time }, clock, () => {
			this.killed(slot);
		});
		process.killAfter = this.kills.shift() ?? Infinity;
		process.isCounting = !this.schedule.areKilledAtWork;
		this.processes[slot] = process;
	}

	/** Begins an execution: with what `retried` has left, if n8n has saved it. */
	private begin(
		line: number,
		{
			slot,
			rows,
			retried,
			isNewRun = true,
		}: { slot: number; rows: number[]; retried?: Attempt; isNewRun?: boolean },
	) {
		const { random, service, time } = this;
		const one = this.lines[line] as Line;
		const process = this.processes[slot] as SimulatedProcess;
		const starting = STARTING_MS - process.uptime();
		if (starting > 0) {
			time.after(starting, () => {
				this.begin(line, { slot, rows, retried, isNewRun });
			});
			return;
		}
		const number = one.attempts.length;
		// No two executions begin in the same millisecond.
		one.begunAt ??= Math.round(process.now()) * this.lines.length + line;
		const attempt: Attempt = {
			...{ line, number, process: slot, state: 'running', outputs: [] },
			saved: structuredClone(retried?.saved ?? { node: {}, flow: {} }),
			rows: retried?.rows ?? rows.map((row) => one.plan.items[row] as ItemPlan),
			round: retried?.round ?? 0,
			counts: { requests: 0, longWaits: 0 },
			begunAt: isNewRun ? time.now : (one.attempts.at(-1) as Attempt).begunAt,
			cancellation: new AbortController(),
		};
		one.attempts.push(attempt);
		service.note(`line ${line}: execution ${number} begins in process ${slot}`);
		const isBlind = !isNewRun && !one.plan.isBeginningKnown;
		const id = `${line}${number}${random.whole(0, 9)}`;
		const contextIn = (round: number) =>
			contextOf({
				...{ id, saved: attempt.saved, signal: attempt.cancellation.signal },
				mode: isNewRun ? 'manual' : 'retry',
				helpers: this.history.for(process),
				begunAt: isBlind ? Math.round(process.now()) : (one.begunAt as number),
				source: isBlind ? 'retry' : 'manual',
				continuesOnFail: one.plan.continuesOnFail,
				items: itemsIn(attempt, round).map((item) => ({ ...item })),
				runIndex: round,
			});
		const { cancelledAfter } = one.plan;
		if (number === 0 && cancelledAfter !== undefined) {
			time.after(cancelledAfter, () => {
				this.cancel(attempt);
			});
		}
		time.after(0, () => {
			process.step(() => {
				void this.goRound(one, attempt, process, contextIn);
			});
		});
	}

	/** A loop: the node runs once in each round. */
	private async goRound(
		one: Line,
		attempt: Attempt,
		process: SimulatedProcess,
		contextIn: (round: number) => IExecuteFunctions,
	) {
		for (; attempt.round < one.plan.rounds; attempt.round++) {
			const { round } = attempt;
			const output = await this.tryAll(one, attempt, process, contextIn(round));
			if (!output) {
				this.ended(attempt, attempt.cancellation.signal.aborted ? 'cancelled' : 'failed');
				return;
			}
			attempt.outputs.push({ round, output });
		}
		this.ended(attempt, 'done');
	}

	private async tryAll(
		{ plan, operation }: Line,
		attempt: Attempt,
		process: SimulatedProcess,
		context: IExecuteFunctions,
	): Promise<INodeExecutionData[] | undefined> {
		const { counts, line, cancellation } = attempt;
		const { signal } = cancellation;
		for (let left = plan.tries; left > 0; left--) {
			process.begin(context, { line, began: this.time.now, counts, signal });
			try {
				const output = await operation.execute(context, process);
				this.service.note(`line ${line}: ${JSON.stringify(output.map(({ json }) => json))}`);
				return output;
			} catch (error) {
				attempt.error = error;
				this.service.note(`line ${line}: ${textOf(error)}`);
			}
			if (left > 1) await process.sleep(plan.pauseBetweenTries);
		}
		return undefined;
	}

	private cancel(attempt: Attempt) {
		if (attempt.state !== 'running') return;
		this.service.note(`line ${attempt.line} is cancelled`);
		attempt.cancelledAt = this.time.now;
		attempt.cancellation.abort();
	}

	private ended(attempt: Attempt, state: 'done' | 'failed' | 'cancelled') {
		attempt.state = state;
		attempt.endedAt = this.time.now;
		if (state === 'failed') this.retry(attempt);
	}

	private killed(slot: number) {
		this.service.note(`process ${slot} is killed`);
		this.start(slot);
		const victims = this.lines.flatMap(({ attempts }) =>
			attempts.filter((one) => one.process === slot && one.state === 'running'),
		);
		victims.forEach((attempt) => {
			attempt.state = 'killed';
			attempt.endedAt = this.time.now;
			this.retry(attempt);
		});
	}

	/** Retries an execution, or runs its rows again, if the schedule has a retry left. */
	private retry(last: Attempt) {
		const { attempts, plan } = this.lines[last.line] as Line;
		const retry = plan.retries[attempts.length - 1];
		if (!retry) return;
		const { isNewRun, isSaved, process: slot, rows } = retry;
		const of = this.retried(attempts, retry);
		const retried = !isNewRun && (of.state === 'failed' || isSaved) ? of : undefined;
		const delay = of === last ? retry.delay : Math.max(retry.delay, SETTLED_MS);
		this.time.after(delay, () => {
			this.begin(last.line, { slot, rows, retried, isNewRun });
		});
	}

	private retried(attempts: Attempt[], { isOfFirst }: RetryPlan): Attempt {
		const place = isOfFirst ? 0 : attempts.length - 1;
		return attempts[place] as Attempt;
	}

	/** What must not be, but is. */
	faults(): string[] {
		const faults = [...this.service.faults];
		if (!this.isOver) faults.push('It does not end within an hour');
		for (const line of this.lines) {
			const n = line.plan.items.length * line.plan.rounds;
			const each = REQUESTS_PER_ITEM + (line.plan.ifExternalIdExists === 'replace' ? 10 : 0);
			for (const attempt of line.attempts) {
				const { cancelledAt, counts, endedAt = Infinity, number, outputs, state } = attempt;
				const name = `line ${attempt.line}, execution ${number}`;
				if (counts.longWaits > 121_000) faults.push(`${name} waits ${counts.longWaits} ms`);
				const most = line.plan.tries * (12 + n * each);
				if (counts.requests > most) faults.push(`${name} sends ${counts.requests} requests`);
				if (state === 'running') faults.push(`${name} does not end`);
				const untilNextTry = (line.plan.tries - 1) * line.plan.pauseBetweenTries;
				if (cancelledAt !== undefined && endedAt > cancelledAt + LONGEST_REQUEST_MS + untilNextTry)
					faults.push(`${name} goes on after it was cancelled`);
				for (const { round, output } of outputs) {
					const items = itemsIn(attempt, round);
					const wrong = this.wrongOutputs(line, attempt.line, items, output);
					faults.push(...wrong.map((one) => `${name}: ${one}`));
				}
			}
			const last = line.attempts.at(-1);
			// n8n does not show a second retry what the first one did.
			const isSeen = !line.plan.retries
				.slice(0, line.attempts.length - 1)
				.some((one) => one.isOfFirst);
			if (last && isSeen) faults.push(...this.unnamed(last));
		}
		return faults;
	}

	private wrongOutputs(
		{ plan }: Line,
		line: number,
		items: ItemPlan[],
		output: INodeExecutionData[],
	): string[] {
		const faults: string[] = [];
		const owners = new Map<unknown, number>();
		output.forEach(({ json }, index) => {
			if (json.error !== undefined) return;
			const item = items[index] as ItemPlan;
			const document = this.service.documents.find(({ id }) => id === json.id);
			if (!document) {
				faults.push(`item ${index} has no document`);
				return;
			}
			const { externalId } = item;
			const isFirst = !items.slice(0, index).some((one) => one.externalId === externalId);
			const about = { plan, item, json, isFirst, origin: { line, row: item.row } };
			const wrong = wrongWith(document, about);
			if (wrong) faults.push(`item ${index} has ${document.id}, which is ${wrong}`);
			const other = items[owners.get(json.id) ?? -1];
			const mayShare =
				plan.ifExternalIdExists !== 'create' && other?.externalId === item.externalId;
			if (other && !mayShare)
				faults.push(`item ${index} has the document of another: ${document.id}`);
			owners.set(json.id, index);
		});
		return faults;
	}

	/** The documents that were sent for items that failed, and that the errors do not name. */
	private unnamed(attempt: Attempt): string[] {
		const { line, state, outputs, error, round } = attempt;
		const failed = outputs.flatMap((one) =>
			one.output.flatMap(({ json }, index) =>
				json.error === undefined ? [] : [{ round: one.round, index, text: JSON.stringify(json) }],
			),
		);
		if (state === 'failed')
			failed.push(...failedIn(attempt.rows, error).map((one) => ({ round, ...one })));
		return failed.flatMap(({ round: at, index, text }) => {
			if (text.includes(UNPLANNED)) return [];
			const item = itemsIn(attempt, at)[index] as ItemPlan;
			const sent = this.service.documents.filter(
				({ origin, sendingBegan = 0, sentBy, deletedAt }) =>
					sentBy === line &&
					sendingBegan >= attempt.begunAt &&
					deletedAt === undefined &&
					origin?.line === line &&
					origin.row === item.row,
			);
			return sent.flatMap(({ id }) => {
				// The node's own IDs differ from try to try in all but their last parts.
				const sought = item.externalId ?? `:${at}:${index}`;
				const names = [id, sought, JSON.stringify(sought).slice(1, -1)];
				const isNamed = names.some((one) => text.includes(one));
				return isNamed
					? []
					: [`row ${item.row} of line ${line} failed, but ${id} was sent: ${text}`];
			});
		});
	}
}

/** Requests of an item in one try, at most. To replace a document, it and its log are read again and again. */
const REQUESTS_PER_ITEM = 30;

function wrongWith(
	document: SimulatedDocument,
	{
		plan,
		item,
		json,
		isFirst,
		origin,
	}: {
		plan: LinePlan;
		item: ItemPlan;
		json: IDataObject;
		/** Whether no item before it has its external ID. */
		isFirst: boolean;
		origin: Origin;
	},
): string | undefined {
	const { email, externalId, sentAt } = document;
	const isNamed = item.externalId === undefined || externalId === stored(item.externalId);
	if (!isNamed) return `for ${externalId}`;
	const isOthers = email.toLowerCase() !== item.email.toLowerCase();
	// With Skip, only the external ID decides which document exists already.
	const isExisting = json.alreadyExisted === true && (json.sentNow !== true || !isFirst);
	if (isOthers && !isExisting) return `for ${email}`;
	if (plan.sending !== 'no' && sentAt === undefined) return 'not sent';
	const isAnother = document.version !== plan.version;
	if (plan.ifExternalIdExists === 'replace' && isAnother) return `version ${document.version}`;
	// A person may send a draft before anybody is taken out of it.
	const isByPerson = sentAt !== undefined && document.sentBy === undefined;
	if (document.leftOut.length > 0 && !isByPerson) return 'for somebody who is left out';
	if (plan.ifExternalIdExists !== 'create') return undefined;
	const { origin: made } = document;
	const isOwn = made?.line === origin.line && made.row === origin.row;
	return isOwn ? undefined : `made for ${JSON.stringify(made)}`;
}

interface NodeFailure {
	message: string;
	description?: string | null;
	context?: { itemIndex?: number; details?: unknown };
}

function textOf(error: unknown): string {
	const { message, description, context } = error as NodeFailure;
	return [message, description, JSON.stringify(context?.details)].join(' ');
}

/** The items that an error which ended an execution is about. */
function failedIn(items: ItemPlan[], error: unknown): Array<{ index: number; text: string }> {
	const text = textOf(error);
	const { itemIndex } = (error as NodeFailure).context ?? {};
	if (itemIndex !== undefined) return [{ index: itemIndex, text }];
	return items.flatMap((_, index) => (text.includes(`Item ${index}:`) ? [{ index, text }] : []));
}
