import type { IExecuteFunctions } from 'n8n-workflow';

import { clock } from '../api/clock';
import { HttpClient, type Client } from '../api/client';
import type { Bulk } from '../api/service';
import { forgetOldest, PerNode } from './remembered';
import { Doubts, Note } from './underWay';

/**
 * What one n8n process remembers and shares between its executions. Nothing of it is stored, and no other process sees
 * it. Time comes from here, too.
 */
export class N8nProcess {
	/** Tells whose clock a stored time is by: those of two processes cannot be compared. */
	readonly id = Math.random().toString(36).slice(2);
	readonly claims = new Claims();
	readonly doubts = new Doubts(this);
	readonly notes = new PerNode(() => new Note(this, this.id));
	readonly recent = new RecentIds();
	readonly waits = new Waits();
	/** Whether sent documents can be updated, by the site: what the first update of one has shown, or will show. */
	readonly updatable = new Map<string, Promise<boolean>>();
	/** The URLs of teams, by the account and the team's ID, and until when each is believed, by `uptime`. */
	readonly teamUrls = new Map<string, { until: number; url: Promise<string | undefined> }>();

	now(): number {
		return clock.now();
	}

	uptime(): number {
		return clock.uptime();
	}

	async sleep(milliseconds: number, signal?: AbortSignal) {
		await clock.sleep(milliseconds, signal);
	}

	async connect(context: IExecuteFunctions, bulk: Bulk): Promise<Client> {
		return await HttpClient.of(context, { bulk });
	}
}

/** Who may work on what must not be made twice: first come, first served, for all executions of a process. */
class Claims {
	/** By key: settled once everybody who has asked for it has released it. */
	private readonly last = new Map<string, Promise<void>>();

	/**
	 * Asks for several keys at once. Whoever asked for one of them before has it first; because all keys are asked for
	 * together, executions wait for each other in one direction only.
	 */
	take(keys: Iterable<string>): Claim {
		const earlier: Array<Promise<void>> = [];
		const releases = new Map<string, () => void>();
		for (const key of new Set(keys)) {
			const before = this.last.get(key);
			if (before) earlier.push(before);
			let settle: () => void = () => undefined;
			const own = new Promise<void>((resolve) => (settle = resolve));
			// Whoever releases the key before it is granted must not let the next one overtake the earlier ones.
			const through = before ? Promise.all([before, own]).then(() => undefined) : own;
			this.last.set(key, through);
			void through.then(() => {
				if (this.last.get(key) === through) this.last.delete(key);
			});
			releases.set(key, settle);
		}
		return new Claim(earlier, releases);
	}
}

/** Keys that one execution has asked for. Only with this object can they be released. */
export class Claim {
	constructor(
		private readonly earlier: Array<Promise<void>>,
		private readonly releases: Map<string, () => void>,
	) {}

	/** Waits until nobody works on the keys any more; throws at once when the execution is cancelled. */
	async granted(signal?: AbortSignal) {
		if (this.earlier.length === 0) return;
		await new Promise<void>((resolve, reject) => {
			const stop = () => {
				reject(signal?.reason instanceof Error ? signal.reason : new Error('Cancelled'));
			};
			if (signal?.aborted) stop();
			signal?.addEventListener('abort', stop);
			void Promise.all(this.earlier).then(() => {
				signal?.removeEventListener('abort', stop);
				resolve();
			});
		});
	}

	/** Lets the next one have the key: at once, or as soon as `after` is settled. */
	release(key: string, after?: Promise<unknown>) {
		const release = this.releases.get(key);
		this.releases.delete(key);
		if (after) void after.finally(release);
		else release?.();
	}

	/** Lets the others have what has not been released yet. */
	releaseAll() {
		for (const key of this.releases.keys()) this.release(key);
	}
}

/** The IDs of documents that were created from here, by account and external ID: a list may lag, or come from a cache. */
class RecentIds {
	private readonly ids = new Map<string, string>();

	add(account: string, externalId: string, id: string) {
		this.ids.set(`${account}\n${externalId}`, id);
		forgetOldest(this.ids);
	}

	of(account: string, externalId: string): string | undefined {
		return this.ids.get(`${account}\n${externalId}`);
	}
}

export interface Resumption {
	executionId: string;
	/** The signature in n8n's resume URL: 64 hexadecimal digits. */
	token: string;
}

/**
 * The executions that have begun to wait here. The markers of their documents tell this too, except of a document that
 * nobody could mark, or that was deleted before a poll had seen it.
 */
class Waits {
	/** By document: the account that it belongs to, and the executions by their markers. */
	private readonly begun = new Map<string, { account: string; waiting: Map<string, Resumption> }>();

	/** An execution waits for these documents of an account. */
	begin(
		account: string,
		ids: Iterable<string>,
		{ marker, resumption }: { marker: string; resumption: Resumption },
	) {
		for (const id of ids) {
			const waiting = new Map(this.for(id, account)).set(marker, resumption);
			this.begun.delete(id);
			this.begun.set(id, { account, waiting });
		}
		forgetOldest(this.begun);
	}

	/** The executions with this account that wait for a document, by their markers. */
	for(id: string, account: string): ReadonlyMap<string, Resumption> {
		const known = this.begun.get(id);
		return known?.account === account ? known.waiting : new Map<string, Resumption>();
	}

	documentsOf(account: string): string[] {
		return [...this.begun].flatMap(([id, one]) => (one.account === account ? [id] : []));
	}

	/** These executions do not wait for the document any more. */
	end(id: string, markers: Iterable<string>) {
		const waiting = this.begun.get(id)?.waiting;
		for (const marker of markers) waiting?.delete(marker);
		if (waiting?.size === 0) this.begun.delete(id);
	}
}

/** The process that runs this code. */
export const thisProcess = new N8nProcess();
