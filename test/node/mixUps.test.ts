import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { documenso, execute, itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines, sentTo } from '../support/service';
import {
	automatic,
	byId,
	contract,
	mapped,
	fillFromRow as use,
	useService,
} from '../support/suite';

const suite = useService({ seed: 'demo' });
const tina = { 'Tenant email': 'tina@example.com' };
const USE = 'POST /envelope/use';
const documents = () => suite.service.store.documents;
const continued = { onError: 'continueRegularOutput' } as const;
const withId = (changes: IDataObject = {}) => ({
	...use,
	additionalFields: { externalId: 'C-1', ...changes },
});
test('two rows with one external ID and recipient never share a document after lost answers', async () => {
	suite.service.fail({ match: USE, cut: 'before' });
	suite.service.fail({ match: USE, cut: 'after' });
	const rows = [1, 2].map((Rent) => ({ json: { ...tina, Rent } }));
	const { items } = await suite.run(withId(), rows, continued);
	const ids = items.map(({ json }) => json.id).filter(Boolean);
	expect(new Set(ids).size).toBe(ids.length);
}, 20_000);

test('two files with one external ID never share a document after lost answers', async () => {
	const item = await itemWith({ data: { content: await pdf() } });
	suite.service.fail({ match: 'POST /envelope/create', cut: 'before' });
	suite.service.fail({ match: 'POST /envelope/create', cut: 'after' });
	const parameters = {
		resource: 'document',
		operation: 'createAndSend',
		...contract,
		additionalFields: { externalId: 'C' },
	};
	const { items } = await suite.run(parameters, [item, item], continued);
	const ids = items.map(({ json }) => json.id).filter(Boolean);
	expect(new Set(ids).size).toBe(ids.length);
}, 20_000);

test.each([{}, { ifExternalIdExists: 'skip' }])(
	'a second node does not take the first node’s document for its own (%j)',
	async (changes) => {
		const to = mapped(tina);
		const first = documenso({ ...use, templateRecipients: to }, { name: 'First' });
		const second = documenso(
			{ ...use, templateRecipients: to, additionalFields: { title: 'Second', ...changes } },
			{ name: 'Second' },
		);
		suite.service.fail({ match: USE, delayMs: 0 });
		if (!('ifExternalIdExists' in changes)) suite.service.fail({ match: USE, cut: 'before' });
		const { data } = await execute(credentialFor(suite.service), [first, second], [{ json: {} }]);
		const made = documents().some(({ title }) => title === 'Second');
		expect(made || data.resultData.error).toBeTruthy();
	},
	20_000,
);

test('a document of half a minute ago with the same external ID is not taken for a lost one', async () => {
	await suite.run(withId(), [{ json: { ...tina, Rent: 1 } }]);
	const [older] = documents();
	if (older) older.createdAt = new Date(Date.now() - 30_000);
	suite.service.fail({ match: USE, cut: 'before' });
	const { error } = await suite.run(withId(), [{ json: { ...tina, Rent: 2 } }]);
	expect(documents().length === 2 || error !== undefined).toBe(true);
}, 20_000);

test('an external ID that changes with every try does not make two documents', async () => {
	suite.service.fail({ match: USE, cut: 'before' });
	suite.service.fail({ match: USE, cut: 'after' });
	await suite.run(withId({ externalId: '={{ "RA-" + Math.random() }}' }), [{ json: tina }], {
		maxTries: 3,
	});
	expect(documents()).toHaveLength(1);
}, 30_000);

test('a retry finds what was moved to a folder in between', async () => {
	const [folder] = await suite.outputOf({ resource: 'folder', operation: 'create', name: 'Filed' });
	suite.service.fail({ match: USE, cut: 'after' });
	suite.service.fail({ match: 'GET /envelope', times: 3, status: 400, body: { message: 'Down' } });
	const mover = setInterval(
		() => documents().forEach((one) => (one.folderId = folder?.id as string)),
		20,
	);
	await suite.run(use, [{ json: tina }], { maxTries: 2 });
	clearInterval(mover);
	expect(documents()).toHaveLength(1);
}, 20_000);

test('an empty external_id does not hide a filled External ID', async () => {
	await suite.run(use, [{ json: { ...tina, external_id: '', 'External ID': 'RA-7' } }]);
	expect(sentTo(suite.service, USE).externalId).toBe('RA-7');
});

test('an External ID that cannot be used is refused, not dropped', async () => {
	const { error } = await suite.run(use, [{ json: { ...tina, 'External ID': 'x'.repeat(300) } }]);
	expect(error?.message).toMatch(/^'External ID' cannot be used: is longer than 255/);
});

test('a template that one row names wrongly is listed with the other bad rows', async () => {
	const ids = [RENTAL_AGREEMENT.id, 'envelope_unknownunknown', RENTAL_AGREEMENT.id];
	const rows = ids.map((id, index) => ({ json: { ...tina, id, Rent: index === 2 ? 'x' : 1 } }));
	const { error } = await suite.run({ ...use, templateId: byId('={{ $json.id }}') }, rows);
	expect(`${error?.message}\n${error?.description}`).toMatch(/Item 1\b[^]*Item 2\b/);
});

test('Skip marks what existed in the deprecated operation, too', async () => {
	const old = {
		resource: 'templateDeprecated',
		operation: 'createDocument',
		templateNumber: suite.template().legacyId,
		templateRecipients: automatic,
		additionalFields: { externalId: 'D', ifExternalIdExists: 'skip' },
	};
	await suite.run(old, [{ json: tina }]);
	const { items } = await suite.run(old, [{ json: tina }]);
	expect(items[0]?.json).toMatchObject({ alreadyExisted: true });
});

test('placeholders are never sent to', async () => {
	const { error } = await suite.run({ ...use, additionalFields: { allowPlaceholders: true } }, [
		{ json: {} },
	]);
	expect(error).toBeDefined();
	expect(documents()).toHaveLength(0);
});

test('a file name with quotes replaces the template’s file', async () => {
	const content = await pdf('New', 'Page 2');
	const item = await itemWith({ a: { content, name: 'Lease "new".pdf' } }, tina);
	const replacedFiles = { file: [{ envelopeItemId: RENTAL_AGREEMENT.itemId, property: 'a' }] };
	const { error } = await suite.run({ ...use, replacedFiles }, [item]);
	expect(error).toBeUndefined();
});

test('Document: Send is not sent again by a retry after a lost answer', async () => {
	const { id } = await suite.document();
	suite.service.fail({ match: 'POST /envelope/distribute', cut: 'after' });
	await suite.run(
		{ resource: 'document', operation: 'send', documentId: byId(id) },
		[{ json: {} }],
		{ maxTries: 2 },
	);
	expect(lines(suite.service).filter((line) => line === 'POST /envelope/distribute')).toHaveLength(
		1,
	);
});

test('a draft that somebody deleted before the retry is made anew', async () => {
	const item = await itemWith({ data: { content: await pdf() } });
	const gone = { message: 'Envelope not found', data: { code: 'NOT_FOUND' } };
	suite.service.fail({
		match: 'POST /envelope/distribute',
		status: 400,
		body: { message: 'Busy' },
	});
	suite.service.fail({ match: 'GET /envelope/*', status: 404, body: gone });
	const parameters = { resource: 'document', operation: 'createAndSend', ...contract };
	const { error } = await suite.run(parameters, [item], { maxTries: 2 });
	expect(error).toBeUndefined();
	expect(documents().map(({ status }) => status)).toEqual(['DRAFT', 'PENDING']);
});

test('a template without recipients is not sent', async () => {
	suite.template().recipients = [];
	const { error } = await suite.run(use, [{ json: tina }]);
	expect(error?.message).toBe(
		`'Template' cannot be sent: "Rental agreement" has no recipients [item 0]`,
	);
	expect(documents()).toHaveLength(0);
});

test('a draft may have placeholders of Documenso’s', async () => {
	const { error } = await suite.run(
		{ ...use, send: false, additionalFields: { allowPlaceholders: true } },
		[{ json: {} }],
	);
	expect(error).toBeUndefined();
	expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
});
