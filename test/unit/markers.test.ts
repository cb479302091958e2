import crypto from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import {
	MARKER_LENGTH,
	resumptionsIn,
	sealed,
	withMarker,
	withMarkersOf,
	withoutMarker,
	withoutMarkers,
} from '../../nodes/shared/envelope/marker';
import { Note, SETTLED_MS } from '../../nodes/shared/n8n/underWay';

describe('the marker of a waiting execution', () => {
	const keys = { apiToken: 'api_token', instanceId: 'instance' };
	const token = 'a1'.repeat(32);
	const resumption = { executionId: '57', token };
	const marker = sealed(resumption, keys);
	const other = sealed({ executionId: '58', token: 'b2'.repeat(32) }, keys);
	const bytesOf = (one: string) => Buffer.from(one.split(':').at(-1) ?? '', 'base64url');

	test.each(['', 'CRM-7', 'two words', 'n8n:57:mi9x2k3a:1234abcd:0:3'])(
		'an external ID survives its marker: "%s"',
		(externalId) => {
			const marked = withMarker(externalId, marker);
			expect(resumptionsIn(marked, keys)).toEqual(new Map([[marker, resumption]]));
			expect(withoutMarker(marked, marker)).toBe(externalId);
			expect(withoutMarkers(marked)).toBe(externalId || null);
		},
	);

	test('several executions can wait for one document, and each takes only its own marker away', () => {
		const marked = withMarker(withMarker('CRM-7', marker), other);
		expect([...resumptionsIn(marked, keys).keys()]).toEqual([marker, other]);
		expect(withoutMarker(marked, marker)).toBe(`CRM-7 ${other}`);
		expect(withoutMarker(marked, other)).toBe(`CRM-7 ${marker}`);
		expect(withoutMarkers(marked)).toBe('CRM-7');
	});

	test('a second try of the node puts its marker in the place of the first', () => {
		const again = sealed(resumption, keys);
		const marked = withMarker(withMarker(withMarker('CRM-7', marker), other), again);
		expect(marked).toBe(`CRM-7 ${other} ${again}`);
		expect(withoutMarker(marked, again)).toBe(`CRM-7 ${other}`);
	});

	test('the token stands nowhere in a marker, and no two markers are the same', () => {
		expect(marker).not.toContain(token);
		expect(bytesOf(marker).includes(Buffer.from(token, 'hex'))).toBe(false);
		expect(sealed(resumption, keys)).not.toBe(marker);
	});

	test('a marker is as long as the room that is left for it', () => {
		const long = sealed({ executionId: '1'.repeat(20), token }, keys);
		expect(withMarker('x', long)).toHaveLength(1 + MARKER_LENGTH);
	});

	test.each([
		['another API token', marker, { ...keys, apiToken: 'api_other' }],
		['another n8n', marker, { ...keys, instanceId: 'other' }],
		['another execution in its place', marker.replace(':57:', ':58:'), keys],
		['a changed letter', marker.slice(0, -2) + (marker.endsWith('AA') ? 'BB' : 'AA'), keys],
		['no token', 'n8n-wait:', keys],
		['text before it without a blank', `x${marker}`, keys],
		['nothing', '', keys],
	])('nothing is resumed with %s', (_, externalId, with_) => {
		expect(resumptionsIn(externalId, with_)).toEqual(new Map());
	});

	test.each(['', '../57', '57/..', '57?', '57#', '%35', '57\n'])(
		'nor is an execution resumed whose ID is %j, whoever sealed it',
		(executionId) => {
			expect(resumptionsIn(sealed({ executionId, token }, keys), keys)).toEqual(new Map());
		},
	);

	test.each([1, 4, 8, 12, 15])('nothing is resumed with a tag of %i bytes', (length) => {
		const whole = sealed({ executionId: '57', token: '' }, keys);
		expect([...resumptionsIn(whole, keys).values()]).toEqual([{ executionId: '57', token: '' }]);
		// The tag is behind the 12 bytes of the IV, and an empty token has no more bytes.
		const cut = bytesOf(whole)
			.subarray(0, 12 + length)
			.toString('base64url');
		expect(resumptionsIn(whole.replace(/[^:]*$/, cut), keys)).toEqual(new Map());
	});

	test('a marker from before an update is read: HKDF-SHA256 and AES-256-GCM', () => {
		// Made with other software: Python's cryptography.
		const before =
			'n8n-wait:XowDqU:57:AAECAwQFBgcICQoLpeUeQhLdY3CeH7mAw1uTWKO-Dkm15UE4qKux0dNV5MzLLPy3rVmkpUdzM88veqzL';
		expect(resumptionsIn(before, keys)).toEqual(new Map([[before, resumption]]));
	});

	test('markers in more than Documenso allows are forged, and none is opened', () => {
		const fits = `${'x'.repeat(255 - 1 - marker.length)} ${marker}`;
		expect(resumptionsIn(fits, keys).size).toBe(1);
		expect(resumptionsIn(`x${fits}`, keys).size).toBe(0);
		expect(resumptionsIn(` n8n-wait:${':'.repeat(1e6)}`, keys).size).toBe(0);
		expect(resumptionsIn(` ${marker}`.repeat(1e4), keys).size).toBe(0);
	});

	test('the key is made once for all markers, and not for those of another n8n', () => {
		const derived = jest.spyOn(crypto, 'hkdfSync');
		const short = marker.slice(0, 'n8n-wait:XowDqU:'.length);
		expect(resumptionsIn(` ${short}1:A`.repeat(12), keys).size).toBe(0);
		expect(derived).toHaveBeenCalledTimes(1);
		expect(resumptionsIn(' n8n-wait:a:1:b'.repeat(17), keys).size).toBe(0);
		expect(derived).toHaveBeenCalledTimes(1);
	});

	test('another external ID keeps the markers of executions that wait', () => {
		const marked = withMarker(withMarker('CRM-7', marker), other);
		expect(withMarkersOf(marked, 'CRM-8')).toBe(`CRM-8 ${marker} ${other}`);
		expect(withMarkersOf(marked, null)).toBe(`${marker} ${other}`);
		expect(withMarkersOf('CRM-7', 'CRM-8')).toBe('CRM-8');
		expect(withMarkersOf(null, null)).toBeNull();
	});
});

describe('the note of a run', () => {
	/** n8n's history of one node, and what its database was asked. */
	class History {
		readonly names = new Set<unknown>();
		readonly calls: string[] = [];
		failure?: Error;

		private async answer<Value>(call: string, work: () => Value): Promise<Value> {
			this.calls.push(call);
			await new Promise((resolve) => setImmediate(resolve));
			if (this.failure) throw this.failure;
			return work();
		}

		private readonly helpers = {
			getProcessedDataCount: async () => await this.answer('count', () => this.names.size),
			checkProcessedAndRecord: async (names: unknown[]) => {
				await this.answer('record', () => {
					names.forEach((name) => this.names.add(name));
				});
			},
			removeProcessed: async (names: unknown[]) => {
				await this.answer('remove', () => {
					names.forEach((name) => this.names.delete(name));
				});
			},
			clearAllProcessedItems: async () => {
				await this.answer('clear', () => {
					this.names.clear();
				});
			},
		};

		readonly context = {
			helpers: this.helpers,
			getWorkflow: () => ({ id: 'workflow' }),
			getNode: () => ({ id: 'node' }),
		} as unknown as IExecuteFunctions;
	}

	/** A process that has been there for so long, as far as the notes see it. */
	function processAfter(history: History, age: number) {
		const clock = {
			age,
			uptime: () => clock.age,
			sleep: async (_: number, signal?: AbortSignal) => {
				await new Promise((_resolve, reject) => {
					signal?.addEventListener('abort', () => {
						reject(new Error('Awake'));
					});
				});
			},
		};
		const note = new Note(clock, `process ${age} ${Math.random()}`);
		return {
			clock,
			begin: async () => await note.begin(history.context),
			end: async (isInDoubt = false) => {
				await note.end(history.context, { isInDoubt });
			},
		};
	}

	const OLD = SETTLED_MS;
	const YOUNG = 5000;

	test('takes two calls of the database for a run, and a third one in the first two minutes of the process', async () => {
		const history = new History();
		const old = processAfter(history, OLD);
		await old.begin();
		await old.end();
		expect(history.calls.splice(0)).toEqual(['record', 'clear']);
		const young = processAfter(history, YOUNG);
		await young.begin();
		await young.end();
		expect(history.calls).toEqual(['count', 'record', 'remove']);
	});

	test('is one for runs that overlap, and stays until the last of them has ended', async () => {
		const history = new History();
		const { begin, end } = processAfter(history, OLD);
		expect(await Promise.all([begin(), begin()])).toEqual([false, false]);
		await end();
		expect(history.names.size).toBe(1);
		expect(history.calls).toEqual(['record']);
		await end();
		expect(history.names.size).toBe(0);
	});

	test('is there for a run that begins while that of the run before is being removed', async () => {
		const history = new History();
		const { begin, end } = processAfter(history, YOUNG);
		await begin();
		const [, isAfterKill] = await Promise.all([end(), begin()]);
		expect(isAfterKill).toBe(false);
		expect(history.names.size).toBe(1);
	});

	test('makes nobody wait if no process has died', async () => {
		const history = new History();
		const first = processAfter(history, YOUNG);
		expect(await first.begin()).toBe(false);
		await first.end();
		expect(await processAfter(history, YOUNG).begin()).toBe(false);
	});

	test('is found by the next process, and by the one after that if it dies, too', async () => {
		const history = new History();
		await processAfter(history, OLD).begin();
		const second = processAfter(history, YOUNG);
		expect(await second.begin()).toBe(true);
		const third = processAfter(history, YOUNG);
		expect(await Promise.all([third.begin(), third.begin()])).toEqual([true, true]);
		await third.end();
		await third.end();
		// Those of the two that died are still there.
		expect(await processAfter(history, YOUNG).begin()).toBe(true);
	});

	test('means nothing once the next process is two minutes old, which then removes it', async () => {
		const history = new History();
		await processAfter(history, OLD).begin();
		const next = processAfter(history, YOUNG);
		expect(await next.begin()).toBe(true);
		next.clock.age = SETTLED_MS;
		expect(await next.begin()).toBe(false);
		await next.end();
		await next.end();
		expect(history.names.size).toBe(0);
	});

	test('stays for two minutes if the run ends in doubt', async () => {
		const history = new History();
		const { begin, clock, end } = processAfter(history, OLD);
		await begin();
		await end(true);
		expect(await processAfter(history, YOUNG).begin()).toBe(true);
		clock.age += SETTLED_MS;
		await begin();
		await end();
		expect(history.names.size).toBe(0);
	});

	test('is done without if the database fails, or does not answer', async () => {
		const history = new History();
		history.failure = new Error('The database is gone');
		const { begin, end } = processAfter(history, YOUNG);
		expect(await begin()).toBe(false);
		await end();
		const silent = new History();
		const late = new Note({ uptime: () => YOUNG, sleep: async () => {} }, 'late');
		Object.assign(silent.context.helpers, {
			getProcessedDataCount: async () => await new Promise(() => {}),
		});
		expect(await late.begin(silent.context)).toBe(false);
	});
});
