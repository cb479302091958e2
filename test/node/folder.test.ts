import { lines, sentTo } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService();
const base = { resource: 'folder' };

async function folder(name: string, changes = {}) {
	const [made] = await suite.outputOf({ ...base, operation: 'create', name, ...changes });
	return made?.id as string;
}

test('Create makes a folder, inside another one if that is given', async () => {
	const parent = await folder('Deals');
	const child = await folder('2026', { parentId: byId(parent) });
	expect(suite.service.calls.map(({ body }) => body)).toEqual([
		{ name: 'Deals', type: 'DOCUMENT' },
		{ name: '2026', type: 'DOCUMENT', parentId: parent },
	]);
	expect(suite.service.store.folders.get(child)?.parentId).toBe(parent);
});

test.each([
	['x', 'is shorter than 2 characters'],
	['x'.repeat(101), 'is longer than 100 characters'],
	['see www.example.com', 'looks like a web address'],
])('the name %j is refused before any request', async (name, message) => {
	const { error } = await suite.run({ ...base, operation: 'create', name });
	expect(error?.message).toContain(message);
	expect(lines(suite.service)).toEqual([]);
});

test('Get Many lists folders of all levels, or of one', async () => {
	const parent = await folder('Deals');
	await folder('2026', { parentId: byId(parent) });
	await folder('NDAs', { type: 'TEMPLATE' });
	const all = await suite.outputOf({ ...base, operation: 'getAll', returnAll: true });
	expect(all.map(({ name }) => name).sort()).toEqual(['2026', 'Deals', 'NDAs']);
	const filters = { parentId: parent, type: 'DOCUMENT' };
	const inside = await suite.outputOf({ ...base, operation: 'getAll', filters });
	expect(inside.map(({ name }) => name)).toEqual(['2026']);
});

test('Update renames a folder and moves it to the root', async () => {
	const parent = await folder('Deals');
	const child = await folder('2026', { parentId: byId(parent) });
	const [updated] = await suite.outputOf({
		...base,
		operation: 'update',
		folderId: byId(child),
		updateFields: { name: 'Year 2026', parentId: '', pinned: true },
	});
	expect(sentTo(suite.service, 'POST /folder/update')).toEqual({
		folderId: child,
		data: { name: 'Year 2026', parentId: null, pinned: true },
	});
	expect(updated).toMatchObject({ name: 'Year 2026', parentId: null });
});

test('Delete lets what a folder held go to the root', async () => {
	const deals = await folder('Deals');
	const { id } = await suite.document('create', { additionalFields: { folderId: deals } });
	const remove = { ...base, operation: 'delete', folderId: byId(deals) };
	expect(await suite.outputOf(remove)).toEqual([{ id: deals, deleted: true }]);
	expect(suite.service.store.envelopes.get(id)?.folderId).toBeNull();
});

test('a document is moved into a folder, and back into the root', async () => {
	const deals = await folder('Deals');
	const { id } = await suite.document();
	const move = { ...base, operation: 'moveEnvelope', envelopeId: byId(id) };
	const [moved] = await suite.outputOf({ ...move, folderId: byId(deals) });
	expect(moved).toMatchObject({ id, folderId: deals });
	expect(sentTo(suite.service, 'POST /envelope/update')).toEqual({
		envelopeId: id,
		data: { folderId: deals },
	});
	const [back] = await suite.outputOf(move);
	expect(back).toMatchObject({ id, folderId: null });
});

describe('Search In', () => {
	const list = { resource: 'document', operation: 'getAll' };

	async function scattered() {
		const deals = await folder('Deals');
		const nested = await folder('2026', { parentId: byId(deals) });
		for (const [title, folderId] of [
			['A', ''],
			['B', deals],
			['C', nested],
			['D', ''],
		]) {
			await suite.document('create', { title, additionalFields: { folderId } });
		}
		return { deals };
	}

	const titles = async (parameters: object) =>
		(await suite.outputOf({ ...list, ...parameters })).map(({ title }) => title);

	test('everywhere finds what is in any folder, in one order', async () => {
		await scattered();
		expect(await titles({})).toEqual(['D', 'C', 'B', 'A']);
		const oldestFirst = { filters: { orderByDirection: 'asc' } };
		expect(await titles(oldestFirst)).toEqual(['A', 'B', 'C', 'D']);
		expect(await titles({ limit: 3 })).toEqual(['D', 'C', 'B']);
	});

	test('one folder or the root is all that is asked for', async () => {
		const { deals } = await scattered();
		expect(await titles({ searchIn: 'root' })).toEqual(['D', 'A']);
		expect(await titles({ searchIn: 'folder', folderId: byId(deals) })).toEqual(['B']);
		expect(lines(suite.service)).toEqual(['GET /envelope', 'GET /envelope']);
	});

	test('a folder that is not named is refused', async () => {
		const { error } = await suite.run({ ...list, searchIn: 'folder', folderId: byId('={{ "" }}') });
		expect(error?.message).toBe("'Folder' is empty [item 0]");
	});
});
