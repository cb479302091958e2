import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines } from '../support/service';
import { byId, contract, mapped, tina, fillFromRow as use, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

const readTemplate = `GET /envelope/${RENTAL_AGREEMENT.id}`;

const row = (index: number, changes: IDataObject = {}) => ({
	json: { 'Tenant email': `tenant${index}@example.com`, Rent: 1000 + index, ...changes },
});
const rows = (count: number, bad: Record<number, IDataObject> = {}) =>
	Array.from({ length: count }, (_, index) => row(index, bad[index]));

test('with bad rows among a hundred nothing is created, and each is listed with its column', async () => {
	const bad = { 7: { Rent: 'much' }, 42: { 'Tenant email': '' }, 99: { 'Tenant email': 'x@' } };
	const { error } = await suite.run(use, rows(100, bad));
	expect(error?.message).toBe('3 of 100 items cannot be used, so nothing was created');
	const [first, second, third] = error?.description?.split('<br>') ?? [];
	expect(first).toBe(`Item 7: 'Rent' is a number field, but "much" is text`);
	expect(second).toMatch(/^Item 42: 'Tenant email' is empty: .*"Tenant \(SIGNER\)"$/);
	expect(third).toBe(`Item 99: 'Tenant email' is not an email address: "x@"`);
	// n8n would put it behind the message, as if only that item were meant.
	expect(error?.context?.itemIndex).toBeUndefined();
	expect(lines(suite.service)).toEqual([readTemplate]);
});

test('a single bad row is the error itself, which says that nothing was created', async () => {
	const { error } = await suite.run(use, rows(3, { 1: { Rent: 'much' } }));
	expect(error?.message).toBe(`'Rent' is a number field, but "much" is text [item 1]`);
	expect(error?.description).toBe(
		'Correct the data of the item, or what is entered in the node for it. Nothing was created for any item.',
	);
	expect(error?.context?.itemIndex).toBe(1);
	expect(suite.service.store.documents).toHaveLength(0);
});

test('HTML in a value is shown as text', async () => {
	const bad = { 0: { 'Tenant email': 'Tina <b>' }, 1: { Rent: '<i>&' } };
	const { error } = await suite.run(use, rows(2, bad));
	expect(error?.description).toContain(`is not an email address: "Tina &lt;b>"`);
	expect(error?.description).toContain(`"&lt;i>&amp;" is text`);
});

test('250 bad rows are still all named', async () => {
	const bad = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [index, { Rent: 'x' }]));
	const { error } = await suite.run(use, rows(250, bad));
	expect(error?.message).toBe('250 of 250 items cannot be used, so nothing was created');
	expect(error?.description).toContain('Item 199: ');
	expect(error?.description).toContain('And the items 200, 201, ');
	expect(error?.description).toMatch(/, 249\b/);
});

test('with Continue on Fail only the bad rows fail', async () => {
	const bad = { 1: { Rent: 'much' }, 3: { 'Tenant email': 'x' } };
	const { items } = await suite.run(use, rows(5, bad), { onError: 'continueRegularOutput' });
	expect(items.map(({ json }) => json.error ?? 'made')).toEqual([
		'made',
		`'Rent' is a number field, but "much" is text [item 1]`,
		'made',
		`'Tenant email' is not an email address: "x" [item 3]`,
		'made',
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toMatchObject(
		[0, 1, 2, 3, 4].map((item) => ({ item })),
	);
	expect(suite.service.store.documents).toHaveLength(3);
});

test('switched off, the rows before the bad one are made', async () => {
	const { error } = await suite.run(
		{ ...use, options: { checkAllFirst: false } },
		rows(40, { 30: { Rent: 'much' } }),
	);
	expect(error?.message).toBe(`'Rent' is a number field, but "much" is text [item 30]`);
	expect(suite.service.store.documents.length).toBeGreaterThanOrEqual(20);
	expect(suite.service.store.documents.length).toBeLessThan(40);
});

test('a template that cannot be read is one error, not one for each row', async () => {
	const { error } = await suite.run(
		{ ...use, templateId: byId('envelope_unknownunknown') },
		rows(20),
	);
	expect(error?.message).toBe('There is no template with the ID envelope_unknownunknown');
	expect(lines(suite.service)).toEqual(['GET /envelope/envelope_unknownunknown']);
});

test.each(['create', 'createAndSend'])(
	'Document: %s checks all items first, too',
	async (operation) => {
		const good = await itemWith({ data: { content: await pdf() } });
		const bad = { ...good, json: { email: 'nobody' } };
		const recipients = {
			recipient: [{ email: '={{ $json.email ?? "tina@example.com" }}', role: 'SIGNER' }],
		};
		const parameters = { resource: 'document', operation, ...contract, recipients };
		const { error } = await suite.run(parameters, [good, good, bad]);
		expect(error?.message).toMatch(/is not an email address: "nobody" \[item 2\]$/);
		expect(lines(suite.service)).toEqual([]);
	},
);

test('items are listed in their order, and each advice once', async () => {
	const slow = { ...suite.template(), id: 'envelope_slowslowslowslow' };
	suite.service.store.envelopes.set(slow.id, slow);
	suite.service.fail({ match: `GET /envelope/${slow.id}`, delayMs: 200 });
	const items = [
		{ ...tina, id: RENTAL_AGREEMENT.id },
		{ id: slow.id },
		{ id: RENTAL_AGREEMENT.id },
	].map((json) => ({ json }));
	const { error } = await suite.run({ ...use, templateId: byId('={{ $json.id }}') }, items);
	const text = error?.description ?? '';
	expect(text).toMatch(/Item 1: .*Item 2: /s);
	expect(text.split('Fill it in')).toHaveLength(2);
});

test('of a single item nothing is said about others', async () => {
	const { error } = await suite.run(use, [{ json: { ...tina, Rent: 'much' } }]);
	expect(error?.description ?? '').not.toContain('any item');
});

test('an expression that fails has the item it failed for', async () => {
	const columns = mapped({ ...tina, Address: "={{ $json.n ? $('Nope').item.json.x : 'A' }}" });
	const items = [{ json: { n: 0 } }, { json: { n: 1 } }];
	const { error } = await suite.run({ ...use, columns }, items);
	expect(error?.context?.itemIndex).toBe(1);
});

test('a template that one row names wrongly is listed with the other bad rows', async () => {
	const ids = [RENTAL_AGREEMENT.id, 'envelope_unknownunknown', RENTAL_AGREEMENT.id];
	const items = ids.map((id, index) => ({ json: { ...tina, id, Rent: index === 2 ? 'x' : 1 } }));
	const { error } = await suite.run({ ...use, templateId: byId('={{ $json.id }}') }, items);
	expect(`${error?.message}\n${error?.description}`).toMatch(/Item 1\b[^]*Item 2\b/);
});
