import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { z } from 'zod';
import { connectionFailure } from '../../nodes/shared/api/failedRequest';
import type { ApiFailure } from '../../nodes/shared/api/failure';
import { parse } from '../../nodes/shared/api/records';
import { addHint } from '../../nodes/shared/n8n/hint';
import {
	MASKED_ADDRESS,
	withMaskedAddresses,
	withoutSecrets,
} from '../../nodes/shared/n8n/masking';
import {
	failureOf,
	type FailedItem,
	itemsError,
	nodeError,
	stoppedError,
} from '../../nodes/shared/n8n/nodeError';
import { Refusal } from '../../nodes/shared/n8n/refusal';
import { errorOf } from '../support/errors';
import { failed, lost } from '../support/failures';
import { refusal } from '../support/refusal';

/** As Documenso says it. */
const marked = (code?: string, message = 'No') => ({
	message,
	data: { code, httpStatus: 400 },
});

const node: INode = {
	id: '1',
	name: 'Documenso',
	type: 'n8n-nodes-documenso.documenso',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const said = { message: 'No' };
const shown = (caught: unknown, item = 0) => nodeError(node, { item, caught });
const descriptionOf = (caught: unknown) => shown(caught).description ?? '';

const CAUTION_UNKNOWN =
	'Documenso may have done it nevertheless. Check in Documenso before you run it again.';

const CAUTION_FAILED =
	'Documenso may have done a part of it. Check in Documenso before you run it again.';

const ORIGIN = 'The answer to POST /envelope/use was';

/** A run with items that came with these data. */
const runOf = (rows: IDataObject[]) => ({
	getNode: () => node,
	getInputData: () => rows.map((json) => ({ json })),
});

describe('a failure of the API', () => {
	const failure = failed({ status: 404, body: marked('NOT_FOUND', 'No such file') });

	test('keeps its sentence, status, code, details and item', () => {
		const error = shown(failure.withNote('Look.', { documentId: 'a' }), 3);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'No such file',
			httpCode: '404',
			context: { itemIndex: 3, code: 'NOT_FOUND', details: { documentId: 'a' } },
		});
	});

	test('keeps its sentence where n8n has one of its own for the code', () => {
		expect(shown(lost('ECONNREFUSED')).message).toBe(
			'The connection to Documenso at sign.example.com failed',
		);
		expect(shown(failed({ status: 502, body: '' })).message).toBe(
			'Documenso is not available at the moment',
		);
	});

	test.each([
		[400, 'DOCUMENT_NOT_COMPLETE', "the event 'Document Completed'"],
		[400, 'DOCUMENT_SEND_FAILED', 'created but not sent'],
		[400, 'ENVELOPE_ITEM_LIMIT_EXCEEDED', 'fewer files'],
		[400, 'EXPIRED_CODE', 'Create a new API token'],
		[400, 'INVALID_DOCUMENT_FILE', 'no password or restriction'],
		[400, 'LIMIT_EXCEEDED', 'no more documents this month'],
		[400, 'MISSING_SIGNATURE_FIELD', 'at least one signature field'],
		[400, 'RECIPIENT_LIMIT_EXCEEDED', 'fewer recipients'],
		[400, 'UNSUPPORTED_FILE_TYPE', 'Use a PDF'],
		[400, 'NEW_CODE', 'Correct what the message names'],
		[401, 'UNAUTHORIZED', 'the whole API token was pasted'],
		[403, 'FORBIDDEN', 'may do this in Documenso'],
		[404, 'NOT_FOUND', 'Check the ID'],
		[413, undefined, 'larger than this Documenso accepts'],
		[429, undefined, 'Wait until next month'],
		[500, 'INTERNAL_SERVER_ERROR', 'try again later'],
		[502, undefined, 'works again'],
		[503, undefined, 'works again'],
		[504, undefined, 'works again'],
	])('a %s %s says what to do', (status, code, advice) => {
		expect(descriptionOf(failed({ status, body: marked(code) }))).toContain(advice);
	});

	test('a 401 for what the plan lacks does not send the reader to the token', () => {
		const message = 'You do not have permission to set the action auth';
		const refused = failed({ status: 401, body: marked('UNAUTHORIZED', message) });
		expect(descriptionOf(refused)).toMatch(/^The plan of the organisation does not include this/);
	});

	test('a failed database is told in words of ours, and its own stand at the end', () => {
		const message = '\nInvalid `prisma.envelopeItem.delete()` invocation:\n\n\nRecord not found';
		const refused = failed({ status: 500, body: marked('INTERNAL_SERVER_ERROR', message) });
		expect(refused.message).toBe('Documenso failed at its database');
		expect(descriptionOf(refused)).toMatch(/^Check whether what the IDs here name was deleted/);
		expect(descriptionOf(refused)).toContain('Record not found');
	});

	test('says nothing of what to do where nothing is known', () => {
		const refused = failed({ status: 418, body: marked('NEW_CODE') });
		expect(descriptionOf(refused)).toBe(`${ORIGIN} 418 NEW_CODE.`);
	});

	test('that nobody can read sends the reader to the base URL', () => {
		expect(descriptionOf(failed({ status: 200, body: [] }))).toContain('check the base URL');
	});

	test('that never reached Documenso sends the reader to the base URL', () => {
		expect(descriptionOf(lost('ENOTFOUND'))).toMatch(/^There is no server of this name.*base URL/);
		expect(descriptionOf(lost('ECONNREFUSED'))).toMatch(
			/^Nothing answers at this address.*base URL/,
		);
		expect(descriptionOf(lost('ECONNRESET', true))).toContain("Check the credential's base URL");
		expect(descriptionOf(lost('ECONNRESET'))).not.toContain('base URL');
	});

	test.each([
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	])('of a certificate (%s) says how n8n learns to trust it', (code) => {
		expect(descriptionOf(lost(code, true))).toContain('NODE_EXTRA_CA_CERTS');
	});

	test('with a wait that is too long says to run again later', () => {
		const body = { error: 'Too many' };
		expect(descriptionOf(failed({ status: 429, body, retryAfter: 3600 }))).toMatch(
			/^The rate limit was reached.*at most 300 seconds.*again later/,
		);
	});

	test('takes the advice of a step before that of the code', () => {
		expect(descriptionOf(failure.withAdvice('Not there', 'Look in the folder.'))).toBe(
			`Look in the folder. Documenso says: No such file. ${ORIGIN} 404 NOT_FOUND.`,
		);
	});

	test('that lacks what the API promises is explained, not shown as it is', async () => {
		const caught = await errorOf(() => parse(z.object({ id: z.string() }), {}));
		expect(shown(caught, 2)).toMatchObject({
			message: "Documenso's answer could not be read",
			description: expect.stringMatching(/In the answer, id is wrong: Required$/) as string,
			context: { itemIndex: 2 },
		});
	});
});

describe('the caution', () => {
	test.each([
		['the answer was lost', lost('ECONNRESET'), CAUTION_UNKNOWN],
		['a proxy gave up', failed({ status: 504, body: '' }), CAUTION_UNKNOWN],
		['Documenso failed on the way', failed(refusal('x', 500)), CAUTION_FAILED],
	])('is given after a change of which %s', (_, caught, caution) => {
		expect(descriptionOf(caught)).toContain(caution);
	});

	test.each([
		['was refused', failed(refusal('x'))],
		['only reads', failed({ status: 500, body: { message: 'x' }, isRead: true })],
		['lost its answer while it only reads', lost('ECONNRESET', true)],
		['something else answered', failed({ status: 403, body: '<html>' })],
		['was never sent', lost('ECONNREFUSED')],
	])('is not given for a request that %s', (_, caught) => {
		expect(descriptionOf(caught)).not.toContain(CAUTION_UNKNOWN);
		expect(descriptionOf(caught)).not.toContain(CAUTION_FAILED);
	});

	test('makes way for what the steps know, which comes before the advice, and the origin last', () => {
		const body = { message: 'x', code: 'LIMIT_EXCEEDED' };
		const failure = failed({ status: 500, body }).withNote('First.').withNote('Then.');
		expect(descriptionOf(failure)).toBe(
			`Then. First. The plan allows no more documents this month: raise its limit, or wait until next month. ${ORIGIN} 500 LIMIT_EXCEEDED.`,
		);
	});
});

describe('a refusal', () => {
	test('says which item, what to do, and what is known', () => {
		const refusal = new Refusal("'Title' is empty", 'Fill it in.', { row: 7 });
		const error = shown(refusal, 3);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: "'Title' is empty [item 3]",
			description: 'Fill it in.',
			context: { itemIndex: 3, details: { row: 7 } },
		});
	});

	test('that is of no item names none', () => {
		expect(nodeError(node, { caught: new Refusal('No') }).message).toBe('No');
	});

	test('has one sentence for each fault, and each advice once', () => {
		const refusal = Refusal.of([
			{ column: 'Rent', fault: 'is empty', advice: 'Fill it in.' },
			{ column: 'Name', fault: 'is too long' },
			{ column: 'Date', fault: 'is empty', advice: 'Fill it in.' },
		]);
		expect(refusal.message).toBe("'Rent' is empty; 'Name' is too long; 'Date' is empty");
		expect(refusal.advice).toBe('Fill it in.');
	});
});

describe('n8n shows a description as HTML', () => {
	const LINK = '<a href="https://example.com">Sign in & pay</a>';
	const ESCAPED = '&lt;a href="https://example.com">Sign in &amp; pay&lt;/a>';

	test.each<[string, unknown]>([
		['the advice of a refusal, which lists columns, people and files', new Refusal('No', LINK)],
		['a code of Documenso’s', failed({ status: 400, body: marked(LINK) })],
		['what a step notes', failed(refusal('No')).withNote(LINK)],
		['Documenso’s own words', failed(refusal(LINK)).withAdvice('No', 'x')],
		['the address of a request', failed({ status: 400, body: said, asked: `GET /${LINK}` })],
		['a broken connection', connectionFailure(new Error(LINK), true, 'host')],
	])('%s cannot be taken for it', (_, caught) => {
		for (const error of [
			shown(caught),
			stoppedError(node, { item: 0, caught }, { done: 1, total: 2 }),
			itemsError(runOf([]), [{ item: 0, caught }], { done: 0, total: 1 }),
		]) {
			expect(error.description).toContain(ESCAPED);
			expect(error.description).not.toContain('<');
		}
	});

	test.each([
		['a refusal', new Refusal(`${LINK} isn't an email address`)],
		['Documenso', failed(refusal(LINK))],
	])('and a message of %s in a notification, so it has no tags', (_, caught) => {
		expect(shown(caught).message).toContain('‹a href="https://example.com">Sign in & pay‹/a>');
		expect(shown(new Refusal('1 < 2')).message).toBe('1 < 2 [item 0]');
	});

	test('but the output of a failed item is for programs, and has the plain text', () => {
		expect(failureOf(runOf([]), { item: 2, caught: new Refusal(LINK, LINK) })).toEqual({
			error: `${LINK} [item 2]`,
			details: { description: LINK },
		});
	});
});

describe('anything else that is thrown', () => {
	test('becomes an error of n8n’s with its item', () => {
		expect(shown(new TypeError('odd'), 3)).toMatchObject({
			name: 'NodeOperationError',
			message: 'odd',
			context: { itemIndex: 3 },
		});
		expect(shown('text').message).toBe('text');
	});

	test('stays as it is when it is one, and learns its item unless it knows it', () => {
		const without = new NodeOperationError(node, 'No');
		const withItem = new NodeOperationError(node, 'No', { itemIndex: 5 });
		expect(shown(without, 2)).toBe(without);
		expect(without.context.itemIndex).toBe(2);
		expect(shown(withItem, 2)).toBe(withItem);
		expect(withItem.context.itemIndex).toBe(5);
	});

	test('is known as one by its name, because two copies of n8n-workflow may be loaded', () => {
		const foreign = Object.assign(new Error('No'), { name: 'NodeApiError', context: {} });
		expect(shown(foreign, 1)).toBe(foreign);
	});
});

test('the error that ends a run says nothing of what is done before the first item is', () => {
	const caught = new Refusal('No', 'Fill it in.');
	const error = stoppedError(node, { item: 3, caught }, { done: 0, total: 9 });
	expect(error.description).toBe('Fill it in.');
});

describe('the error for all items that cannot be used', () => {
	const bad = (item: number, message = `'Rent' of ${item} is empty`, advice = 'Fill it in.') => ({
		item,
		caught: new Refusal(message, advice),
	});
	const errorFor = (
		items: FailedItem[],
		{ total = 300, done = 0 } = {},
		rows: IDataObject[] = [],
	) => itemsError(runOf(rows), items, { total, done });
	const linesOf = (items: FailedItem[]) => errorFor(items).description?.split('<br>') ?? [];

	test('lists them in their order, whatever failed first, and each advice once with its items', () => {
		const error = errorFor([bad(7), bad(1), bad(4, 'odd', 'Wait.')], { total: 9 });
		expect(error.message).toBe('3 of 9 items cannot be used, so nothing was created');
		expect(error.description?.split('<br>')).toEqual([
			"Item 1: 'Rent' of 1 is empty",
			'Item 4: odd',
			"Item 7: 'Rent' of 7 is empty",
			'',
			'Items 1, 7: Fill it in.',
			'Item 4: Wait.',
			'Items are counted from 0.',
		]);
	});

	test('writes two hundred out, and only numbers the others', () => {
		const items = Array.from({ length: 203 }, (_, item) => bad(item));
		const lines = linesOf([...items].reverse());
		expect(lines).toHaveLength(204);
		expect(lines[199]).toBe("Item 199: 'Rent' of 199 is empty");
		expect(lines.slice(200, -1)).toEqual(['And the items 200, 201, 202', '', 'Fill it in.']);
		expect(linesOf(items.slice(0, 200)).join()).not.toContain('And the items');
	});

	test('cannot be taken for HTML', () => {
		const [line, , , advice] = linesOf([bad(1, '<b> & "c"', '<script>'), bad(2, 'x', '')]);
		expect(line).toBe('Item 1: &lt;b> &amp; "c"');
		expect(advice).toBe('&lt;script>');
	});

	describe('of a sheet', () => {
		const sheet = [2, 3, 5, 8].map((row_number) => ({ row_number }));

		test('names the rows by their numbers there, with what several have said once', () => {
			const items = [bad(0, 'is empty'), bad(2, 'is empty'), bad(3, 'odd', 'Wait.')];
			const error = errorFor(items, { total: 4 }, sheet);
			expect(error.description?.split('<br>')).toEqual([
				'Rows 2, 5: is empty',
				'Row 8: odd',
				'',
				'Rows 2, 5: Fill it in.',
				'Row 8: Wait.',
				'Rows are numbered as in the sheet.',
			]);
		});

		test('names the row also of a single item', () => {
			const { message, description } = errorFor([bad(2, 'is empty')], { total: 4 }, sheet);
			expect(message).toBe('is empty [item 2]');
			expect(description).toBe(
				'Fill it in. It is row 5 of the sheet. Nothing was created for any item.',
			);
		});

		test.each([['a text'], [undefined], [2.5]])('with %p for a row number counts items', (odd) => {
			const rows = [{ row_number: 2 }, { row_number: odd }];
			const { description } = errorFor([bad(0), bad(1)], { total: 2 }, rows);
			expect(description).toContain("Item 0: 'Rent' of 0 is empty");
		});
	});

	test('says how rows of a list are counted where it names one', () => {
		const row = (item: number) => bad(item, `'Recipients > Row ${item} > Email' is empty`);
		expect(linesOf([row(1), bad(4)]).at(-1)).toBe(
			"Items are counted from 0, and the rows of this node's lists from 1.",
		);
	});

	test('names ten items behind a piece of advice, and all where it is the only one', () => {
		const many = Array.from({ length: 12 }, (_, item) => bad(item));
		expect(linesOf([...many, bad(12, 'odd', 'Wait.')]).slice(-3, -1)).toEqual([
			'Items 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …: Fill it in.',
			'Item 12: Wait.',
		]);
		expect(linesOf(many).at(-2)).toBe('Fill it in.');
		expect(linesOf([bad(1, 'x', ''), bad(2, 'y', '')])).toEqual([
			'Item 1: x',
			'Item 2: y',
			'Items are counted from 0.',
		]);
	});

	test('is that of the item when there is one, and says that nothing was made for the others', () => {
		const error = errorFor([bad(4, 'No')], { total: 9 });
		expect(error).toMatchObject({ message: 'No [item 4]', context: { itemIndex: 4 } });
		expect(error.description).toBe('Fill it in. Nothing was created for any item.');
		expect(errorFor([bad(0, 'No')], { total: 1 }).description).toBe('Fill it in.');
		const retried = errorFor([bad(4, 'No')], { total: 9, done: 2 });
		expect(retried.description).toBe('Fill it in. Nothing more was created.');
	});

	test('is that of the first when all have the same, which was asked for once', () => {
		const caught = failed({ status: 401, body: marked('UNAUTHORIZED') });
		const error = errorFor([7, 2, 5].map((item) => ({ item, caught })));
		expect(error).toMatchObject({ message: 'No', httpCode: '401', context: { itemIndex: 2 } });
	});
});

describe('the output of a failed item', () => {
	const outputOf = (caught: unknown) => failureOf(runOf([]), { item: 2, caught });

	test('has only the keys that lead n8n to the error output', () => {
		const failure = failed({ status: 404, body: marked('NOT_FOUND') });
		expect(Object.keys(outputOf(failure)).sort()).toEqual(['details', 'error']);
	});

	test('has the status and code for programs, and what the steps know', () => {
		const failure: ApiFailure = failed({
			status: 400,
			body: marked('NEW_CODE'),
		}).withNote('Look.', { documentId: 'a' });
		expect(outputOf(failure)).toEqual({
			error: 'No',
			details: {
				status: 400,
				code: 'NEW_CODE',
				description: `Look. Correct what the message names, in this node or in Documenso. ${ORIGIN} 400 NEW_CODE.`,
				documentId: 'a',
			},
		});
	});

	test('has no key without a value', () => {
		expect(outputOf(new Refusal('No'))).toEqual({ error: 'No [item 2]', details: {} });
		expect(outputOf(lost('ECONNRESET')).details).not.toHaveProperty('status');
	});
});

describe('what a model sees', () => {
	const addresses = [
		['plain', 'tina@example.com', 't…@example.com'],
		['in a sentence', 'Ask (tina.o-neill+x@example.com).', 'Ask (t…@example.com).'],
		[
			'in a list',
			'a1@x.example;b2@y.example, Jörg <jörg@z.example>',
			'a…@x.example;b…@y.example, Jörg <j…@z.example>',
		],
		[
			'in a URL',
			'https://x.example/?to=tina%2Bx%40example.com&b=1',
			'https://x.example/?t…%40example.com&b=1',
		],
		['in a URL in a URL', '/?next=%3Fto%3Dtina%2540example.com', '/?n…%2540example.com'],
		['in HTML', '<b>tina&#64;example.com</b>', '<b>t…&#64;example.com</b>'],
		['in HTML, with hexadecimal digits', 'tina&#x40;example.com', 't…&#x40;example.com'],
		['in HTML, with a name', 'tina&commat;example.com', 't…&commat;example.com'],
		['in HTML, with an encoded plus', 'tina&#43;x&#64;example.com', 't…&#64;example.com'],
		['in JSON', String.raw`"tina\u0040example.com"`, String.raw`"t…\u0040example.com"`],
		['with a full-width @', 'tina＠example.com', 't…＠example.com'],
		['behind an emoji', '😀tina@example.com', '😀t…@example.com'],
		['of another script', 'тина@пример.example', 'т…@пример.example'],
	];

	test.each(addresses)('a model sees one letter of an address %s', (_, text, masked) => {
		expect(withMaskedAddresses(text)).toBe(masked);
		expect(masked).toMatch(MASKED_ADDRESS);
	});

	test.each(['5 @ 3', '@tina', 'https://example.com/@tina', 'no address', '', '%40', '(@)'])(
		'%j holds no address and stays',
		(text) => {
			expect(withMaskedAddresses(text)).toBe(text);
		},
	);

	test.each(['t...@example.com', 'Ask t...@example.com.', 't⋯@example.com', 't… @example.com'])(
		'%j is a masked address as models write it',
		(text) => {
			expect(text).toMatch(MASKED_ADDRESS);
		},
	);

	test.each(['Meet us...@ the office', 'wait...', 'tina.b@example.com'])('%j is none', (text) => {
		expect(text).not.toMatch(MASKED_ADDRESS);
	});

	const secrets = [
		['a signing link', 'https://d.example/sign/kT3_abcdefghijkl', 'https://d.example/sign/…'],
		[
			'one below a path',
			'https://d.example/app/sign/kT3_abcdefghijkl?x=1',
			'https://d.example/app/sign/…?x=1',
		],
		[
			'one in a URL',
			'?next=https%3A%2F%2Fd.example%2Fsign%2FkT3_abcdefghijkl',
			'?next=https%3A%2F%2Fd.example%2Fsign%2F…',
		],
		['one in HTML', 'd.example&#x2F;sign&#47;kT3_abcdefghijkl', 'd.example&#x2F;sign&#47;…'],
		[
			'one in JSON',
			String.raw`"https:\/\/d.example\/sign\/kT3_abcdefghijkl"`,
			String.raw`"https:\/\/d.example\/sign\/…"`,
		],
		[
			'an embedded one',
			'https://d.example/embed/sign/kT3_abcdefghijkl',
			'https://d.example/embed/sign/…',
		],
		['a direct link', 'https://d.example/d/kT3_abcdefghijkl', 'https://d.example/d/…'],
		[
			'an embedded direct link',
			'https://d.example/embed/direct/kT3_abcdefghijkl',
			'https://d.example/embed/direct/…',
		],
		['a token', 'https://d.example/x?token=kT3_abcdefghijkl', 'https://d.example/x?token=…'],
		['a token in HTML', '?a=1&amp;presignToken=kT3_abcdefghijkl', '?a=1&amp;presignToken=…'],
		['a token in a URL', '%3Ftoken%3DkT3_abcdefghijkl', '%3Ftoken%3D…'],
	];

	test.each(secrets)('a model does not see %s', (_, text, masked) => {
		expect(withoutSecrets(text)).toBe(masked);
	});

	test.each([
		'https://docs.google.com/document/d/1aB2cD3eF4gH5iJ6/edit',
		'https://drive.google.com/file/d/1aB2cD3eF4gH5iJ6/view',
		'/signatures/of-everyone',
		'a token: kT3_abcdefghijkl',
	])('%s stays', (text) => {
		expect(withoutSecrets(text)).toBe(text);
	});
});

test('a version of n8n without hints still runs the node', () => {
	const ofOlderVersion = {} as IExecuteFunctions;
	expect(() => {
		addHint(ofOlderVersion, 'Not signed yet');
	}).not.toThrow();
});
