import { startEmulator, type Emulator } from '../../emulator';
import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER } from '../../emulator/options';
import { pdf } from '../support/pdf';
import { call, createDocument, form, sendDocument, signer } from './api';

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator();
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

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
