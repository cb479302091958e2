import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, startEmulator } from '../../emulator';
import { pdf } from '../support/pdf';
import {
	call,
	createDocument,
	form,
	getting,
	posting,
	sendDocument,
	signer,
	useEmulator,
} from './api';

const service = useEmulator();

test('the list is newest first; a direction without a column changes nothing', async () => {
	await createDocument(service, { title: 'First' });
	await createDocument(service, { title: 'Second' });
	expect(await titles('orderByDirection=asc')).toEqual(['Second', 'First']);
	const ascending = 'orderByColumn=createdAt&orderByDirection=asc';
	expect(await titles(ascending)).toEqual(['First', 'Second']);
	expect(await titles('page=2&perPage=1')).toEqual(['First']);
});

test('what strangers have sent to the address of a team is listed, but cannot be read by its ID', async () => {
	const team = { ...DEMO_TEAM, email: signer.email };
	const strangers = {
		token: 'api_strangers',
		user: { id: 2, name: 'Stranger', email: 'stranger@example.com' },
		team: { id: 2, url: 'strangers', name: 'Strangers' },
	};
	const tokens = [{ token: DEMO_TOKEN, user: DEMO_USER, team }, strangers];
	const shared = await startEmulator({ tokens });
	const upload = { filename: 'contract.pdf', content: await pdf() };
	const payload = { type: 'DOCUMENT', title: 'Theirs', recipients: [signer] };
	const created = await call(
		shared,
		'POST /envelope/create',
		form(payload, [upload]),
		strangers.token,
	);
	const { id } = created.body;
	const { data } = (await call(shared, 'GET /envelope')).body;
	expect(data).toMatchObject([{ id, team: { id: 2 } }]);
	expect((await call(shared, `GET /envelope/${String(id)}`)).status).toBe(404);
	const ids = { type: 'envelopeId', ids: [id] };
	expect((await call(shared, 'POST /envelope/get-many', { ids })).body).toEqual({ data: [] });
	await shared.close();
});

test('the list searches titles, external ids and recipients, with SQL wildcards', async () => {
	await createDocument(service, { title: 'Lease', externalId: 'row-17' });
	await createDocument(service, { title: 'Other', recipients: [] });
	expect(await titles('query=LEA')).toEqual(['Lease']);
	expect(await titles('query=row-1_')).toEqual(['Lease']);
	expect(await titles('query=sally')).toEqual(['Lease']);
	expect(await titles('query=.*')).toEqual([]);
});

test('the search takes a backslash as an escape', async () => {
	await createDocument(service, { title: 'Back', externalId: 'cmp\\back' });
	await createDocument(service, { title: 'Percent', externalId: '100%_off' });
	await createDocument(service, { title: 'Trailing', externalId: 'path\\' });
	expect(await found('cmp\\back')).toEqual([]);
	expect(await found('cmp\\\\back')).toEqual(['Back']);
	expect(await found('c\\m\\pback')).toEqual([]);
	expect(await found('pe\\rcent')).toEqual(['Percent']);
	expect(await found('100\\%\\_off')).toEqual(['Percent']);
	expect(await found('path\\')).toEqual([]);
	expect(await found('path\\\\')).toEqual(['Trailing']);
	expect(await found('\\')).toEqual([]);
});

test('the search ignores case and blanks at the ends, and its wildcards take any character', async () => {
	await createDocument(service, { title: 'Straße 😀 x', externalId: '  row 1  ' });
	const all = ['Straße 😀 x'];
	expect(await found(' ROW 1 ')).toEqual(all);
	expect(await found('   ')).toEqual(all);
	expect(await found('STRAßE _ X')).toEqual(all);
	expect(await found('STRAßE __ X')).toEqual([]);
	expect(await found('s%x')).toEqual(all);
});

test('the search lowers letter by letter, as PostgreSQL does', async () => {
	await createDocument(service, { title: 'İstanbul' });
	await createDocument(service, { title: 'Σίσυφος' });
	expect(await found('istanbul')).toEqual(['İstanbul']);
	expect(await found('ΣΊΣΥΦΟς')).toEqual(['Σίσυφος']);
	expect(await found('σίσυφοσ')).toEqual([]);
});

test('no list has an infinite page', async () => {
	expect((await call(service, 'GET /folder?page=1e309')).status).toBe(500);
});

test('the list filters by type, status and expired recipients', async () => {
	await createDocument(service, { title: 'Template', type: 'TEMPLATE' });
	await sendDocument(service, { title: 'Sent' });
	expect(await titles('')).toEqual(['Sent', 'Template']);
	expect(await titles('type=TEMPLATE')).toEqual(['Template']);
	expect(await titles('status=PENDING')).toEqual(['Sent']);
	expect(await titles('hasExpiredRecipients=true')).toEqual([]);
	service.expire(2);
	expect(await titles('hasExpiredRecipients=true')).toEqual(['Sent']);
});

test('a row shows when its document changed and ended; a signature alone is no change', async () => {
	let now = 0;
	const dated = await startEmulator({ sealDelayMs: 0, clock: () => new Date(now) });
	const at = async (time: number, act: () => Promise<unknown>): Promise<unknown> => {
		now = time;
		await act();
		await dated.settled();
		const { body } = await call(dated, 'GET /envelope');
		const [row] = body.data as Array<{ updatedAt: string; completedAt: string | null }>;
		return [row?.updatedAt, row?.completedAt].map((date) => (date ? Date.parse(date) : date));
	};
	const second = { ...signer, email: 'second@example.com' };
	let sent = { id: '', tokens: [''] };
	const steps = [
		await at(10, async () => (sent = await sendDocument(dated, { recipients: [signer, second] }))),
		await at(20, async () => await fetch(`${dated.url}/sign/${sent.tokens[0]}`)),
		await at(30, async () => await dated.sign(String(sent.tokens[0]))),
		await at(40, async () => {
			const input = { envelopeId: sent.id, recipients: [2] };
			return await call(dated, 'POST /envelope/redistribute', input);
		}),
		await at(50, async () => {
			const input = { envelopeId: sent.id, data: { title: 'New' } };
			return await call(dated, 'POST /envelope/update', input);
		}),
		await at(60, async () => await dated.sign(String(sent.tokens[1]))),
	];
	await dated.close();
	expect(steps).toEqual([
		[10, null],
		[10, null],
		[10, null],
		[10, null],
		[50, null],
		[60, 60],
	]);
});

async function found(query: string): Promise<unknown[]> {
	return await titles(`query=${encodeURIComponent(query)}`);
}

async function titles(query: string): Promise<unknown[]> {
	const { body } = await call(service, `GET /envelope?${query}`);
	return (body.data as Array<{ title: string }>).map(({ title }) => title);
}

describe('pages and folders of the list', () => {
	const post = posting(service, '/envelope');
	const get = getting(service);

	test('pages count from the newest, so that a new document shows one row twice', async () => {
		for (const title of ['A', 'B', 'C']) await createDocument(service, { title });
		const page = async (number: number) =>
			((await get(`/envelope?perPage=2&page=${number}`)).body.data as Array<{ title: string }>).map(
				({ title }) => title,
			);
		expect(await page(1)).toEqual(['C', 'B']);
		await createDocument(service, { title: 'D' });
		expect(await page(2)).toEqual(['B', 'A']);
	});

	test('an unknown folder lists nothing', async () => {
		await createDocument(service);
		const { status, body } = await get('/envelope?folderId=cunknown');
		expect([status, body.data, body.count]).toEqual([200, [], 0]);
	});

	test('recipients come from distribute in no order to rely on', async () => {
		const recipients = ['a', 'b'].map((name) => ({ ...signer, email: `${name}@x.example` }));
		const envelopeId = await createDocument(service, { recipients });
		const { body } = await post('distribute', { envelopeId });
		expect((body.recipients as Array<{ email: string }>).map(({ email }) => email)).not.toEqual(
			recipients.map(({ email }) => email),
		);
	});
});

describe('folders', () => {
	const post = posting(service, '/folder');

	async function create(name: string, more: object = {}): Promise<string> {
		return String((await post('create', { name, ...more })).body.id);
	}

	async function names(query = '', token?: string): Promise<unknown[]> {
		const { body } = await call(service, `GET /folder${query}`, undefined, token);
		return (body.data as Array<{ name: string }>).map(({ name }) => name);
	}

	test('a name has 2 to 100 characters and no address in it', async () => {
		const refused = [
			['x', 'Please enter a valid name.'],
			[' y ', 'Please enter a valid name.'],
			['x'.repeat(101), 'Name cannot be more than 100 characters.'],
			['www.example.com', 'Name cannot contain URLs.'],
			['see https://x', 'Name cannot contain URLs.'],
			['zero\u200bwidth', 'Name contains invalid characters.'],
			['two\nlines', 'Name contains invalid characters.'],
		];
		for (const [name, message] of refused) {
			const { status, body } = await post('create', { name });
			expect([status, body.issues]).toEqual([400, [expect.objectContaining({ message })]]);
		}
		expect((await post('create', { name: 'x'.repeat(100) })).status).toBe(200);
	});

	test('the list has every level, newest first, or one folder, type or page of it', async () => {
		const parentId = await create('Deals');
		await create('2026', { parentId });
		await create('Forms', { type: 'TEMPLATE' });
		expect(await names()).toEqual(['Forms', '2026', 'Deals']);
		expect(await names(`?parentId=${parentId}`)).toEqual(['2026']);
		expect(await names('?type=TEMPLATE')).toEqual(['Forms']);
		expect(await names('?perPage=1&page=2')).toEqual(['2026']);
		expect((await call(service, 'GET /folder?perPage=101')).status).toBe(400);
	});

	test('a folder goes into one of its type, and not into itself', async () => {
		const deals = await create('Deals');
		const inner = await create('2026', { parentId: deals });
		const forms = await create('Forms', { type: 'TEMPLATE' });
		const move = async (parentId: string | null) =>
			await post('update', { folderId: deals, data: { parentId } });
		const statuses = [];
		for (const parentId of [deals, inner, forms, 'unknown', null]) {
			const { status, body } = await move(parentId);
			statuses.push([status, body.message]);
		}
		expect(statuses).toEqual([
			[400, 'Cannot move a folder into itself'],
			[400, 'Cannot move a folder into its descendant'],
			[404, 'Parent folder not found'],
			[404, 'Parent folder not found'],
			[200, undefined],
		]);
		const refused = [
			await post('create', { name: 'Mixed', parentId: forms }),
			await post('create', { name: 'Mixed', parentId: forms, type: 'DOCUMENT' }),
			await post('create', { name: 'Nowhere', parentId: 'unknown' }),
		];
		expect(refused.map(({ status, body }) => [status, body.message])).toEqual([
			[400, 'Parent folder type does not match the folder type'],
			[404, 'Parent folder not found'],
			[404, 'Parent folder not found'],
		]);
	});

	test('a search is accepted and changes nothing; half a page is cut off', async () => {
		await create('Deals');
		await create('2026');
		expect(await names('?query=Deals')).toEqual(['2026', 'Deals']);
		const { status, body } = await call(service, 'GET /folder?perPage=1.5&page=2');
		expect(status).toBe(200);
		expect(body).toMatchObject({
			data: [{ name: 'Deals' }],
			count: 2,
			perPage: 1.5,
			totalPages: 2,
		});
	});

	test('update changes what it is given', async () => {
		const folderId = await create('Deals');
		const data = { name: 'Deals 2', pinned: true, visibility: 'ADMIN' };
		const { body } = await post('update', { folderId, data });
		expect(body).toMatchObject({ id: folderId, type: 'DOCUMENT', ...data });
	});

	test('members do not see the folders of managers', async () => {
		const folderId = await create('Board');
		await create('All');
		await post('update', { folderId, data: { visibility: 'MANAGER_AND_ABOVE' } });
		expect(await names('', 'api_member')).toEqual(['All']);
		expect((await post('delete', { folderId }, 'api_member')).status).toBe(404);
	});

	test('a folder that its own member has hidden is gone for them', async () => {
		const { body } = await post('create', { name: 'Mine' }, 'api_member');
		const hidden = { folderId: body.id, data: { visibility: 'ADMIN' } };
		expect((await post('update', hidden, 'api_member')).status).toBe(200);
		expect(await names('', 'api_member')).toEqual([]);
		expect((await post('update', hidden, 'api_member')).status).toBe(404);
		expect(await names()).toEqual(['Mine']);
	});

	test('delete takes the subfolders along and leaves the documents at the root', async () => {
		const parentId = await create('Deals');
		const folderId = await create('2026', { parentId });
		const id = await createDocument(service, { folderId });
		expect((await post('delete', { folderId: parentId })).body).toEqual({ success: true });
		expect(await names()).toEqual([]);
		expect((await call(service, 'GET /envelope')).body.data).toMatchObject([{ id }]);
		const again = await post('delete', { folderId: parentId });
		expect([again.status, again.body.message]).toEqual([404, 'Folder not found']);
	});
});
