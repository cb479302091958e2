import type { Client } from '../../nodes/shared/api/client';
import { eventIdOf } from '../../nodes/shared/events/event';
import { simplifyEvent } from '../../nodes/shared/events/output';
import { compare, due, eventsBetween, horizon } from '../../nodes/shared/polls/comparison';
import {
	createdAt,
	documentSchema,
	openStatus,
	stepsSince,
	timeOf,
	type Document,
	type OpenStatus,
	type Step,
} from '../../nodes/shared/polls/document';
import {
	readState,
	recall,
	remember,
	writeState,
	type State,
} from '../../nodes/shared/polls/state';

const NOW = Date.parse('2027-01-01T12:00:00Z');
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

/** A recipient who has done nothing yet. */
const TINA = {
	id: 1,
	email: 'tina@example.com',
	name: '',
	role: 'SIGNER',
	token: '',
	readStatus: 'NOT_OPENED',
	sendStatus: 'NOT_SENT',
	signingStatus: 'NOT_SIGNED',
	expirationNotifiedAt: null,
};

/** Created an hour ago, unless told. */
const draft = (title: string, changes: Partial<Document> = {}): Document => ({
	id: `envelope_${title}`,
	secondaryId: 'document_7',
	title,
	status: 'DRAFT',
	externalId: null,
	source: 'DOCUMENT',
	templateId: null,
	createdAt: ago(60),
	updatedAt: null,
	completedAt: null,
	deletedAt: null,
	recipients: [TINA],
	...changes,
});

const finished = { status: 'COMPLETED', completedAt: ago(1) };

describe('what must have happened to a document', () => {
	test.each<[string, OpenStatus | undefined, string, Step[]]>([
		['new', undefined, 'DRAFT', ['DOCUMENT_CREATED']],
		['new', undefined, 'PENDING', ['DOCUMENT_CREATED', 'DOCUMENT_SENT']],
		['new', undefined, 'COMPLETED', ['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_COMPLETED']],
		['new', undefined, 'REJECTED', ['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_REJECTED']],
		['new', undefined, 'CANCELLED', ['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_CANCELLED']],
		['new', undefined, 'WITNESSED', ['DOCUMENT_CREATED']],
		['a draft', 'DRAFT', 'DRAFT', []],
		['a draft', 'DRAFT', 'PENDING', ['DOCUMENT_SENT']],
		['a draft', 'DRAFT', 'COMPLETED', ['DOCUMENT_SENT', 'DOCUMENT_COMPLETED']],
		['a draft', 'DRAFT', 'REJECTED', ['DOCUMENT_SENT', 'DOCUMENT_REJECTED']],
		['a draft', 'DRAFT', 'CANCELLED', ['DOCUMENT_SENT', 'DOCUMENT_CANCELLED']],
		['a draft', 'DRAFT', 'WITNESSED', []],
		['a draft', 'DRAFT', 'constructor', []],
		['sent', 'PENDING', 'PENDING', []],
		['sent', 'PENDING', 'COMPLETED', ['DOCUMENT_COMPLETED']],
		['sent', 'PENDING', 'REJECTED', ['DOCUMENT_REJECTED']],
		['sent', 'PENDING', 'CANCELLED', ['DOCUMENT_CANCELLED']],
		['sent', 'PENDING', 'WITNESSED', []],
	])('that was %s (%s) and is %s now: %j', (_, before, status, steps) => {
		expect(stepsSince(before, draft('A', { status }))).toEqual(steps);
	});

	test.each<[OpenStatus, string, Step[]]>([
		['DRAFT', 'DRAFT', ['DOCUMENT_CANCELLED']],
		['PENDING', 'COMPLETED', ['DOCUMENT_COMPLETED', 'DOCUMENT_CANCELLED']],
		['PENDING', 'CANCELLED', ['DOCUMENT_CANCELLED']],
	])('that was %s, is %s now and deleted: %j', (before, status, steps) => {
		expect(stepsSince(before, draft('A', { status, deletedAt: ago(1) }))).toEqual(steps);
	});
});

describe('the status to go on from', () => {
	test.each<[Partial<Document>, OpenStatus | undefined, OpenStatus | undefined]>([
		[{ status: 'DRAFT' }, undefined, 'DRAFT'],
		[{ status: 'PENDING' }, undefined, 'PENDING'],
		[{ status: 'PENDING' }, 'DRAFT', 'PENDING'],
		[{ status: 'COMPLETED' }, 'PENDING', undefined],
		[{ status: 'REJECTED' }, 'PENDING', undefined],
		[{ status: 'CANCELLED' }, 'PENDING', undefined],
		[{ status: 'PENDING', deletedAt: ago(1) }, 'PENDING', undefined],
		// A status that nobody knows yet leaves a document where it was, unless it ends it.
		[{ status: 'WITNESSED' }, undefined, 'DRAFT'],
		[{ status: 'constructor' }, 'PENDING', 'PENDING'],
		[{ status: 'WITNESSED' }, 'PENDING', 'PENDING'],
		[{ status: 'ARCHIVED', completedAt: ago(1) }, 'PENDING', undefined],
	])('of %j after %s is %s', (changes, before, status) => {
		expect(openStatus(draft('A', changes), before)).toBe(status);
	});
});

describe('the time', () => {
	const dates = { createdAt: ago(60), updatedAt: ago(30), completedAt: ago(20), deletedAt: ago(5) };

	test.each<[Step, Partial<Document>, number]>([
		['DOCUMENT_CREATED', dates, 60],
		['DOCUMENT_COMPLETED', dates, 20],
		['DOCUMENT_REJECTED', dates, 20],
		['DOCUMENT_CANCELLED', dates, 5],
		['DOCUMENT_CANCELLED', { ...dates, deletedAt: null }, 20],
		['DOCUMENT_SENT', { ...dates, completedAt: null }, 30],
		['DOCUMENT_SENT', {}, 60],
	])('of %s with %j is %d minutes ago', (step, changes, minutes) => {
		expect(timeOf(step, draft('A', changes))).toBe(Date.parse(ago(minutes)));
	});
});

describe('from when on documents may still appear', () => {
	test.each<[string, number[], number]>([
		['ten minutes before the newest one', [60, 5, 30], 15],
		['never later than ten minutes ago, whatever is dated in the future', [60, -1440], 10],
	])('is %s', (_, ages, minutes) => {
		const documents = ages.map((age) => draft('A', { createdAt: ago(age) }));
		expect(horizon(documents, NOW)).toBe(NOW - minutes * 60_000);
	});

	test('is no time without documents', () => {
		expect(horizon([], NOW)).toBe(0);
	});
});

/** What is known after a first poll that saw these documents. */
function stateOf(...documents: Document[]): State {
	const since = horizon(documents, NOW);
	const state: State = {
		...{
			account: 'a',
			teams: new Set([1]),
			since,
			next: since,
			listedAt: NOW,
			open: new Map(),
			finished: new Map(),
		},
		unreached: [],
	};
	for (const document of documents) {
		const status = openStatus(document);
		if (status) state.open.set(document.id, remember(document, status));
		else if (createdAt(document) >= since) state.finished.set(document.id, createdAt(document));
	}
	return state;
}

interface Seen {
	/** All that the service has. */
	all: Document[];
	/** What the lists show, the newest first; unless told, all that was created since the state's `since`. */
	listed?: Document[];
	/** IDs that are left for the next poll. */
	unread?: string[];
}

const byId = (documents: Document[]) => new Map(documents.map((one) => [one.id, one]));

function poll(state: State, { all, listed, unread = [] }: Seen) {
	const lists = byId(
		(listed ?? all.filter((one) => createdAt(one) >= state.since)).sort(
			(a, b) => createdAt(b) - createdAt(a),
		),
	);
	const ids = due(state, lists).filter((id) => !unread.includes(id));
	const read = new Map(ids.map((id) => [id, byId(all).get(id)]));
	const { events, state: after } = compare(state, { listed: lists, read, now: NOW });
	return {
		reported: events.map(({ name, asItWas }) => `${name} ${asItWas.title}`),
		events,
		state: after,
	};
}

/** What each of several polls reports while the service has the documents of its turn. */
function reportedBy(state: State, ...turns: Array<Document[] | Seen>): string[][] {
	let current = state;
	return turns.map((turn) => {
		const polled = poll(current, Array.isArray(turn) ? { all: turn } : turn);
		current = polled.state;
		return polled.reported;
	});
}

describe('a poll', () => {
	test('reports nothing of what was there before the first one', () => {
		const all = [
			draft('Draft'),
			draft('Sent', { status: 'PENDING' }),
			draft('Done', { ...finished, createdAt: ago(5) }),
			draft('Long done', { ...finished, createdAt: ago(500) }),
		];
		expect(reportedBy(stateOf(...all), all, all)).toEqual([[], []]);
	});

	test('reports each step once', () => {
		const [created, sent] = [draft('A'), draft('A', { status: 'PENDING', updatedAt: ago(10) })];
		const completed = draft('A', finished);
		expect(reportedBy(stateOf(), [created], [sent], [completed], [completed])).toEqual([
			['DOCUMENT_CREATED A'],
			['DOCUMENT_SENT A'],
			['DOCUMENT_COMPLETED A'],
			[],
		]);
	});

	test('reports in the order in which things happened', () => {
		const early = draft('Early');
		const all = [
			draft('Early', { status: 'COMPLETED', updatedAt: ago(3), completedAt: ago(3) }),
			draft('Late', { createdAt: ago(5), status: 'PENDING', updatedAt: ago(4) }),
			draft('Gone'),
		];
		const [, , gone] = all;
		const state = stateOf(early, ...(gone ? [gone] : []));
		expect(poll(state, { all: all.slice(0, 2) }).reported).toEqual([
			'DOCUMENT_CREATED Late',
			'DOCUMENT_SENT Late',
			'DOCUMENT_SENT Early',
			'DOCUMENT_COMPLETED Early',
			// A deletion has no date but that of the poll.
			'DOCUMENT_CANCELLED Gone',
		]);
	});

	test('reports the older one first of documents created at the same time', () => {
		const all = ['Newer', 'Older'].map((title) => draft(title, { createdAt: ago(5) }));
		expect(poll(stateOf(), { all }).reported).toEqual([
			'DOCUMENT_CREATED Older',
			'DOCUMENT_CREATED Newer',
		]);
	});

	test('reads what is new or changed, then what no list shows, and nothing else', () => {
		const old = draft('Old', { createdAt: ago(1000) });
		const odd = draft('Odd', { status: 'WITNESSED' });
		const state = stateOf(old, odd, draft('Same'), draft('Changed'), draft('Done', finished));
		const all = [
			odd,
			draft('New', { createdAt: ago(1) }),
			draft('Same', { updatedAt: ago(2), title: 'Renamed' }),
			draft('Changed', { status: 'PENDING' }),
			draft('Done', { ...finished, deletedAt: ago(1) }),
		];
		expect(due(state, byId(all))).toEqual(['envelope_New', 'envelope_Changed', 'envelope_Old']);
	});

	test('is followed by one that begins with what it did not read', () => {
		const all = [1, 2, 3, 4].map((n) => draft(String(n), { createdAt: ago(1000) }));
		const [one = '', two = '', ...unread] = all.map(({ id }) => id);
		const { state } = poll(stateOf(...all), { all, listed: [], unread });
		expect(due(state, new Map())).toEqual([...unread, one, two]);
	});

	test('leaves what is new and was not read to the next ones, however old it has become', () => {
		const all = [300, 200].map((minutes) => draft(`${minutes}`, { createdAt: ago(minutes) }));
		const later = [...all, draft('Newest', { createdAt: ago(1) })];
		const unread = ['envelope_200'];
		const turns = [{ all, unread }, { all: later, unread }, { all: later, unread }, later, later];
		expect(reportedBy(stateOf(), ...turns)).toEqual([
			['DOCUMENT_CREATED 300'],
			['DOCUMENT_CREATED Newest'],
			[],
			['DOCUMENT_CREATED 200'],
			[],
		]);
	});
});

describe("a document of another team, which can't be read by its ID", () => {
	const team = { id: 77, url: 'strangers' };

	test('is neither reported nor cancelled if an earlier version took it for one of ours', () => {
		const theirs = draft('Theirs', { status: 'PENDING', team });
		const state = stateOf(theirs);
		const opened = { ...theirs, recipients: [{ ...TINA, readStatus: 'OPENED' }] };
		expect(poll(state, { all: [], listed: [opened] }).reported).toEqual([]);
		expect(poll(state, { all: [], listed: [{ ...theirs, ...finished }] }).reported).toEqual([]);
	});

	test('is tried again while it is new, because it may only not be readable yet', () => {
		const fresh = draft('Theirs', { createdAt: ago(5), team });
		const unread = poll(stateOf(), { all: [], listed: [fresh] });
		expect(unread.reported).toEqual([]);
		expect(due(unread.state, byId([fresh]))).toEqual([fresh.id]);
		const old = { ...fresh, createdAt: ago(11) };
		const given = poll(stateOf(), { all: [], listed: [old] });
		expect(due(given.state, byId([old]))).toEqual([]);
	});
});

describe('a document that is gone', () => {
	test.each(['DRAFT', 'PENDING'])(
		'and was %s is cancelled, once, as it is remembered',
		(status) => {
			const known = draft('A', {
				status,
				externalId: 'RA-1',
				source: 'TEMPLATE',
				templateId: 3,
				updatedAt: ago(30),
			});
			const { events, state } = poll(stateOf(known), { all: [] });
			const asItWas = {
				id: 'envelope_A',
				type: 'DOCUMENT',
				secondaryId: 'document_7',
				title: 'A',
				status,
				externalId: 'RA-1',
				source: 'TEMPLATE',
				templateId: 3,
				createdAt: ago(60),
				recipients: [TINA],
			};
			const eventId = eventIdOf('DOCUMENT_CANCELLED', asItWas);
			// There is no `now`.
			expect(events).toEqual([{ name: 'DOCUMENT_CANCELLED', eventId, at: NOW, asItWas }]);
			expect(reportedBy(state, [], [])).toEqual([[], []]);
		},
	);

	test('and was completed before is not noticed', () => {
		const done = draft('A', finished);
		const state = stateOf(draft('A', { status: 'PENDING' }));
		expect(reportedBy(state, [done], [], [])).toEqual([['DOCUMENT_COMPLETED A'], [], []]);
	});

	test('between the list and its reading counts as there until the next poll', () => {
		const one = draft('A', { createdAt: ago(1) });
		expect(reportedBy(stateOf(), { all: [], listed: [one] }, [], [])).toEqual([
			['DOCUMENT_CREATED A'],
			['DOCUMENT_CANCELLED A'],
			[],
		]);
	});

	test('is remembered as it was listed last', () => {
		const all = [draft('A', { title: 'Renamed' })];
		expect(reportedBy(stateOf(draft('A')), all, [])).toEqual([[], ['DOCUMENT_CANCELLED Renamed']]);
	});

	test.each([5, 60])(
		'and comes back is followed again, not created again (%d minutes old)',
		(minutes) => {
			const one = draft('A', { createdAt: ago(minutes) });
			const newest = draft('Newest', { createdAt: ago(1) });
			const gone = poll(stateOf(one, newest), { all: [newest] });
			const back = poll(gone.state, { all: [one, newest], listed: [one, newest] });
			const done = poll(back.state, { all: [{ ...one, ...finished }, newest] });
			expect([gone, back, done].map(({ reported }) => reported)).toEqual([
				['DOCUMENT_CANCELLED A'],
				[],
				['DOCUMENT_SENT A', 'DOCUMENT_COMPLETED A'],
			]);
			expect([[...back.state.open.keys()].sort(), [...back.state.finished]]).toEqual([
				['envelope_A', 'envelope_Newest'],
				[],
			]);
		},
	);
});

describe('a status that nobody knows yet', () => {
	const witnessed = (title: string) => draft(title, { status: 'WITNESSED' });

	test('is no step; what is known is reported before and after it', () => {
		const done = draft('A', finished);
		expect(reportedBy(stateOf(), [witnessed('A')], [witnessed('A')], [done])).toEqual([
			['DOCUMENT_CREATED A'],
			[],
			['DOCUMENT_SENT A', 'DOCUMENT_COMPLETED A'],
		]);
	});

	test.each([true, false])(
		'does not make a document that was sent unsent (listed: %j)',
		(isListed) => {
			const sent = draft('A', { status: 'PENDING' });
			const seen = (one: Document) => ({ all: [one], listed: isListed ? [one] : [] });
			expect(reportedBy(stateOf(sent), seen(witnessed('A')), seen(draft('A', finished)))).toEqual([
				[],
				['DOCUMENT_COMPLETED A'],
			]);
		},
	);

	test('that ends a document ends its tracking too', () => {
		const archived = draft('A', { status: 'ARCHIVED', completedAt: ago(1) });
		const { reported, state } = poll(stateOf(draft('A')), { all: [archived] });
		expect([reported, [...state.open]]).toEqual([[], []]);
	});
});

describe('dates', () => {
	test('a document with the date of the newest one known is reported once', () => {
		const all = ['Known', 'Twin'].map((title) => draft(title, { createdAt: ago(1) }));
		const [known] = all;
		expect(reportedBy(stateOf(...(known ? [known] : [])), all, all)).toEqual([
			['DOCUMENT_CREATED Twin'],
			[],
		]);
	});

	test('a document that appears minutes after its date is reported once, also when it is finished', () => {
		const known = draft('Known', { createdAt: ago(1) });
		const all = [known, draft('Late', { ...finished, createdAt: ago(9) })];
		expect(reportedBy(stateOf(known), [known], all, all)).toEqual([
			[],
			['DOCUMENT_CREATED Late', 'DOCUMENT_SENT Late', 'DOCUMENT_COMPLETED Late'],
			[],
		]);
	});

	test('a document dated in the future hides none of the others', () => {
		const tomorrow = draft('Tomorrow', { createdAt: ago(-1440) });
		const all = [tomorrow, draft('Today', { createdAt: ago(0) })];
		expect(reportedBy(stateOf(), [tomorrow], [tomorrow], [tomorrow], all)).toEqual([
			['DOCUMENT_CREATED Tomorrow'],
			[],
			[],
			['DOCUMENT_CREATED Today'],
		]);
	});

	test('what was finished long before stays unreported when newer documents vanish', () => {
		const done = draft('Done', { ...finished, createdAt: ago(500) });
		const newest = draft('Newest', { createdAt: ago(1) });
		const state = stateOf(done, newest);
		expect(reportedBy(state, [done], [done], [done])).toEqual([
			['DOCUMENT_CANCELLED Newest'],
			[],
			[],
		]);
	});

	test('what one poll missed is found by the next, however long ago it was created', () => {
		const known = draft('Known', { createdAt: ago(120) });
		const newest = draft('Newest', { createdAt: ago(1) });
		const all = [known, draft('Missed', { createdAt: ago(50) }), newest];
		expect(reportedBy(stateOf(known), { all, listed: [newest] }, all, all)).toEqual([
			['DOCUMENT_CREATED Newest'],
			['DOCUMENT_CREATED Missed'],
			[],
		]);
	});

	test('what was overlooked before the first poll is followed from then on', () => {
		const overlooked = draft('Overlooked', { createdAt: ago(500) });
		const newest = draft('Newest', { createdAt: ago(1) });
		const done = draft('Overlooked', { ...finished, createdAt: ago(500) });
		const seen = { all: [overlooked, newest], listed: [overlooked, newest] };
		expect(reportedBy(stateOf(newest), seen, [done, newest])).toEqual([
			[],
			['DOCUMENT_SENT Overlooked', 'DOCUMENT_COMPLETED Overlooked'],
		]);
	});
});

describe('the state', () => {
	const full = stateOf(
		draft('Draft', { externalId: 'RA-1', templateId: 3 }),
		draft('Sent', { status: 'PENDING', source: null }),
		draft('Done', finished),
	);

	test('is the same after it was written and read', () => {
		expect(readState(writeState(full), 'a')).toEqual(full);
	});

	test('is written as before by a poll without news', () => {
		const old = Array.from({ length: 30 }, (_, n) => draft(`Old ${n}`, { createdAt: ago(1000) }));
		const done = Array.from({ length: 30 }, (_, n) =>
			draft(`Done ${n}`, { ...finished, createdAt: ago(n + 1) }),
		);
		const all = [...old, ...done];
		let state = stateOf(...all);
		for (let turn = 1; turn <= 3; turn++) state = poll(state, { all }).state;
		expect(writeState(poll(state, { all }).state)).toBe(writeState(state));
	});

	test('does not grow with documents that are finished', () => {
		const all: Document[] = [];
		let state = stateOf();
		for (let turn = 1; turn <= 5; turn++) {
			for (let n = 0; n < 40; n++) {
				const minutes = 600 - 20 * turn - n / 40;
				all.push(draft(`Done ${turn} ${n}`, { ...finished, createdAt: ago(minutes) }));
			}
			state = poll(state, { all }).state;
		}
		all.push(draft('Last', { ...finished, createdAt: ago(1) }));
		for (let turn = 1; turn <= 3; turn++) state = poll(state, { all }).state;
		expect([...state.finished.keys()]).toEqual(['envelope_Last']);
	});

	test('takes less than 250 characters for an open document', () => {
		const documents = Array.from({ length: 100 }, (_, n) =>
			draft('Rental agreement, Baker Street 221b', {
				id: `envelope_abcdefghijklm${100 + n}`,
				secondaryId: `document_${1000 + n}`,
			}),
		);
		expect(writeState(stateOf(...documents)).length / 100).toBeLessThan(250);
	});

	test('keeps of an open document what its deletion is reported with', () => {
		const document = draft('A', { source: undefined, externalId: undefined, token: 'secret' });
		const { token: _, ...kept } = document;
		expect(recall(document.id, remember(document, 'PENDING'))).toEqual({
			id: kept.id,
			type: 'DOCUMENT',
			secondaryId: 'document_7',
			title: 'A',
			status: 'PENDING',
			externalId: null,
			source: null,
			templateId: null,
			createdAt: ago(60),
			recipients: [
				{
					id: 1,
					email: 'tina@example.com',
					name: '',
					role: 'SIGNER',
					token: '',
					readStatus: 'NOT_OPENED',
					sendStatus: 'NOT_SENT',
					signingStatus: 'NOT_SIGNED',
					expirationNotifiedAt: null,
				},
			],
		});
		expect(writeState(stateOf(document))).not.toContain('secret');
	});

	test.each<[string, unknown]>([
		['there is none', undefined],
		['it is no text', {}],
		['it is no JSON', '{'],
		['it is something else', '{"account":7}'],
		['it is of another form', writeState(full).replace('"PENDING"', '"ARCHIVED"')],
		['it is another account’s', writeState({ ...full, account: 'b' })],
	])('is begun anew where %s', (_, text) => {
		expect(readState(text, 'a')).toBeUndefined();
	});
});

describe('a document on a list', () => {
	const listed = { ...draft('A'), teamId: 1 };
	const client = { site: 'https://documenso.example' } as Client;

	test.each<[string, object]>([
		['without a name', { name: undefined }],
		['with the name null', { name: null }],
		['without a token', { token: null }],
		['that nobody knows to be sent', { sendStatus: undefined }],
		['with a huge ID', { id: 2 ** 60 }],
		['with an order that is a text', { signingOrder: '1' }],
		['with a deadline that is a number', { expiresAt: 123 }],
		['with a reason that is no text', { rejectionReason: {} }],
	])('may have a recipient %s: what looks do not need stops none', (_, changes) => {
		const now = documentSchema.parse({ ...listed, recipients: [{ ...TINA, ...changes }] });
		const [event] = eventsBetween(undefined, now);
		expect(event && simplifyEvent(client, event)).toMatchObject({
			recipients: [{ email: TINA.email, role: 'SIGNER' }],
		});
	});

	test('may have 5,001 recipients, and a number of its team that is none', () => {
		const recipients = Array.from({ length: 5_001 }, () => TINA);
		expect(documentSchema.parse({ ...listed, recipients }).recipients).toHaveLength(5_001);
		expect(documentSchema.safeParse({ ...listed, teamId: 'x' }).success).toBe(true);
	});
});
