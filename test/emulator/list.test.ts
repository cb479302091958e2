import { DEMO_TEAM, DEMO_USER, startEmulator, type Emulator } from '../../emulator';
import { call, createDocument, sendDocument } from './api';

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator();
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

test('the list shows the root unless a folder is named', async () => {
	const folder = {
		id: 'cfolder',
		name: 'Deals',
		userId: DEMO_USER.id,
		teamId: DEMO_TEAM.id,
		parentId: null,
		pinned: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		visibility: 'EVERYONE' as const,
		type: 'DOCUMENT' as const,
	};
	service.store.folders.set(folder.id, folder);
	await createDocument(service, { title: 'Filed', folderId: 'cfolder' });
	await createDocument(service, { title: 'Loose' });
	expect(await titles('')).toEqual(['Loose']);
	expect(await titles('folderId=cfolder')).toEqual(['Filed']);
	expect((await call(service, 'GET /folder')).body.data).toMatchObject([{ name: 'Deals' }]);
	const unknown = { type: 'DOCUMENT', title: 'x', folderId: 'cnone' };
	expect((await call(service, 'POST /envelope/create', { payload: unknown })).status).toBe(404);
});

test('the list is newest first; a direction without a column changes nothing', async () => {
	await createDocument(service, { title: 'First' });
	await createDocument(service, { title: 'Second' });
	expect(await titles('orderByDirection=asc')).toEqual(['Second', 'First']);
	const ascending = 'orderByColumn=createdAt&orderByDirection=asc';
	expect(await titles(ascending)).toEqual(['First', 'Second']);
	expect(await titles('page=2&perPage=1')).toEqual(['First']);
});

test('the list searches titles, external ids and recipients, with SQL wildcards', async () => {
	await createDocument(service, { title: 'Lease', externalId: 'row-17' });
	await createDocument(service, { title: 'Other', recipients: [] });
	expect(await titles('query=LEA')).toEqual(['Lease']);
	expect(await titles('query=row-1_')).toEqual(['Lease']);
	expect(await titles('query=sally')).toEqual(['Lease']);
	expect(await titles('query=.*')).toEqual([]);
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

async function titles(query: string): Promise<unknown[]> {
	const { body } = await call(service, `GET /envelope?${query}`);
	return (body.data as Array<{ title: string }>).map(({ title }) => title);
}
