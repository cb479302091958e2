import { startEmulator, type Emulator } from '../../emulator';
import { accountsOf } from './accounts';
import { compareBodies, compareHeaders } from './compare';
import { compareDelivery, findDisorder, matchDeliveries, type Matching } from './deliveries';
import { IdMap } from './ids';
import { performUnrecordedAction, fillUnfinished, type ReplayState } from './unrecordedActions';
import { startReceiver, type ReceivedDelivery, type Receiver } from './receiver';
import { endpointsAt, groupIntoActions, type Action, type Capture } from './recordings';
import type { Recordings } from './recordings';
import { replayRequest, type Answer } from './request';

/** What differs, in readable lines, by the name of the recording. */
export type Differences = ReadonlyMap<string, readonly string[]>;

export interface Result {
	captures: number;
	deliveries: number;
	differences: Differences;
}

/** Sends every recorded request to a new emulator, in order, and compares the responses. */
export async function replay(recordings: Recordings): Promise<Result> {
	const run = await Run.start(recordings);
	try {
		for (const action of groupIntoActions(recordings)) await run.perform(action);
		run.finish();
	} finally {
		await run.close();
	}
	return {
		captures: recordings.captures.length,
		deliveries: recordings.deliveries.length,
		differences: run.differences,
	};
}

/** A local Documenso with the clock of the recordings, and the differences found so far. */
class Run {
	readonly differences = new Map<string, string[]>();
	private readonly ids: IdMap;
	/** Deliveries that are not recorded for the capture of that name, but perhaps for the next one. */
	private early: Array<{ name: string; delivery: ReceivedDelivery }> = [];

	private constructor(
		private readonly recordings: Recordings,
		private readonly emulator: Emulator,
		private readonly receiver: Receiver,
		private readonly clock: { now: string },
		private readonly state: ReplayState,
	) {
		this.ids = state.ids;
	}

	static async start(recordings: Recordings): Promise<Run> {
		const clock = { now: recordings.captures[0]?.at ?? new Date(0).toISOString() };
		const tokens = accountsOf(recordings.captures);
		const receiver = await startReceiver();
		const emulator = await startEmulator({
			tokens,
			clock: () => new Date(clock.now),
			sealDelayMs: 0,
		});
		const text = JSON.stringify(recordings.captures);
		const isRecorded = (id: string): boolean => text.includes(id);
		const token = tokens[0]?.token ?? '';
		const state = { emulator, ids: new IdMap(), token, isRecorded };
		return new Run(recordings, emulator, receiver, clock, state);
	}

	async close(): Promise<void> {
		await this.emulator.close();
		await this.receiver.close();
	}

	async perform(action: Action): Promise<void> {
		this.subscribe(action);
		for (const capture of action.captures) await this.performCapture(capture);
		await this.emulator.settled();
		this.compareDeliveries(action, await this.performUnrecordedActions(action));
	}

	finish(): void {
		for (const { name, delivery } of this.early.splice(0)) {
			const { url, body } = delivery;
			this.report(name, [`webhook ${body.event} to ${url}: not recorded, emulated`]);
		}
	}

	private async performCapture(capture: Capture): Promise<void> {
		this.clock.now = capture.at;
		const { name, request, response } = capture;
		if (response.status === 429) await this.useUpLimit();
		fillUnfinished(this.state, capture);
		const answer = await replayRequest(this.emulator.url, capture, this.ids);
		const body = bodyOf(answer);
		if (answer.status !== response.status) {
			const given = JSON.stringify(body).slice(0, 120);
			this.report(name, [`status: ${response.status}, emulated ${answer.status} ${given}`]);
			return;
		}
		this.ids.learn(response.body, body, request.path);
		this.report(name, [
			...compareHeaders(response.rawHeaders, answer.headers),
			...this.compareContent(capture, answer, body),
		]);
	}

	private compareContent({ request, response }: Capture, answer: Answer, body: unknown): string[] {
		if (/^<\d+ bytes, sha256 /.test(String(response.body))) {
			return answer.content.subarray(0, 5).toString() === '%PDF-' ? [] : ['body: no PDF'];
		}
		// The local Documenso's pages look different, so only their headers are compared.
		if (answer.headers.get('content-type')?.startsWith('text/html')) return [];
		return compareBodies(response.body, body, { ids: this.ids, context: request.path });
	}

	/** Continues until the local Documenso has made all recorded deliveries, or nothing is left to do. */
	private async performUnrecordedActions({ deliveries }: Action): Promise<Matching> {
		const received = [...this.early.map(({ delivery }) => delivery), ...this.receiver.take()];
		for (;;) {
			const matching = matchDeliveries(deliveries, received, this.ids);
			const [next] = matching.missing;
			if (!next) return matching;
			this.clock.now = next.at;
			// If an action fails, its delivery is reported as missing.
			const hasActed = await performUnrecordedAction(this.state, next).catch(() => false);
			if (!hasActed) return matching;
			await this.emulator.settled();
			received.push(...this.receiver.take());
		}
	}

	private compareDeliveries({ captures }: Action, { pairs, missing, extra }: Matching): void {
		for (const pair of pairs) {
			const { recorded, emulated } = pair;
			this.ids.learn(recorded.body, emulated.body, recorded.body.event);
			this.report(recorded.name, compareDelivery(pair, this.ids));
		}
		for (const { name, line } of findDisorder(pairs)) this.report(name, [line]);
		for (const { name } of missing) this.report(name, ['not delivered by the local Documenso']);
		const isExtra = (delivery: ReceivedDelivery): boolean => extra.includes(delivery);
		const early = this.early.map(({ delivery }) => delivery);
		this.early = this.early.filter(({ delivery }) => isExtra(delivery));
		this.finish();
		const name = captures.at(-1)?.name ?? '';
		const late = extra.filter((delivery) => !early.includes(delivery));
		this.early = late.map((delivery) => ({ name, delivery }));
	}

	private subscribe(action: Action): void {
		this.emulator.webhooks.clear();
		for (const { url, secret } of endpointsAt(action, this.recordings)) {
			this.emulator.webhooks.add({ url: this.receiver.origin + url, secret });
		}
	}

	/** Sends HEAD requests, the cheapest, until the rate limit is reached. */
	private async useUpLimit(): Promise<void> {
		for (;;) {
			const { headers } = await fetch(`${this.emulator.url}/api/v2/envelope`, { method: 'HEAD' });
			if (Number(headers.get('x-ratelimit-remaining') ?? 0) === 0) return;
		}
	}

	private report(name: string, lines: readonly string[]): void {
		if (lines.length === 0) return;
		this.differences.set(name, [...(this.differences.get(name) ?? []), ...lines]);
	}
}

function bodyOf({ headers, content }: Answer): unknown {
	const text = content.toString();
	const isJson = headers.get('content-type')?.includes('application/json') ?? false;
	return isJson && text !== '' ? (JSON.parse(text) as unknown) : text;
}
