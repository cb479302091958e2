import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, startEmulator, type Emulator } from '../../emulator';
import { call, createDocument } from './api';

const MEMBER_TOKEN = 'api_member';
const member = { id: 2, name: 'Max Member', email: 'max@example.com' };

let service: Emulator;

beforeAll(async () => {
	const tokens = [
		{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM },
		{ token: MEMBER_TOKEN, user: member, team: DEMO_TEAM, role: 'MEMBER' as const },
	];
	service = await startEmulator({ tokens });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(action: string, body: object, token?: string) {
	return await call(service, `POST /folder/${action}`, body, token);
}

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
	const elsewhere = await post('create', { name: 'Mixed', parentId: forms });
	expect([elsewhere.status, elsewhere.body.message]).toEqual([404, 'Parent folder not found']);
	const nowhere = await post('create', { name: 'Nowhere', parentId: 'unknown' });
	expect([nowhere.status, nowhere.body.message]).toEqual([404, 'Parent folder not found']);
});

test('a search is accepted and changes nothing; half a page is cut off', async () => {
	await create('Deals');
	await create('2026');
	expect(await names('?query=Deals')).toEqual(['2026', 'Deals']);
	const { status, body } = await call(service, 'GET /folder?perPage=1.5&page=2');
	expect(status).toBe(200);
	expect(body).toMatchObject({ data: [{ name: 'Deals' }], count: 2, perPage: 1.5, totalPages: 2 });
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
	expect(await names('', MEMBER_TOKEN)).toEqual(['All']);
	expect((await post('delete', { folderId }, MEMBER_TOKEN)).status).toBe(404);
});

test('a folder that its own member has hidden is gone for them', async () => {
	const { body } = await post('create', { name: 'Mine' }, MEMBER_TOKEN);
	const hidden = { folderId: body.id, data: { visibility: 'ADMIN' } };
	expect((await post('update', hidden, MEMBER_TOKEN)).status).toBe(200);
	expect(await names('', MEMBER_TOKEN)).toEqual([]);
	expect((await post('update', hidden, MEMBER_TOKEN)).status).toBe(404);
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
