import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines } from '../support/service';
import {
	byId,
	contract,
	createAndSend,
	fillFromRow,
	tenants,
	useService,
	withId,
} from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

// What people run into on their first day, and what the error tells them to do.
const suite = useService({ seed: 'demo' });

const withFile = async () => [await itemWith({ data: { content: await pdf() } })];

async function folder(name: string, type = 'DOCUMENT') {
	const create = { resource: 'folder', operation: 'create', name, type };
	const [made] = await suite.outputOf(create);
	return made?.id as string;
}

describe('a wrong folder', () => {
	const FAULT = '\'Folder ID\' is "nowhere", but there is no folder of documents with this ID';
	const additionalFields = { folderId: 'nowhere' };

	test.each<[string, IDataObject]>([
		['Document: Create', { resource: 'document', operation: 'create', ...contract }],
		['Document: Create and Send', createAndSend],
		['Template: Create Document', fillFromRow],
		[
			'Template (Deprecated): Create Document',
			{ ...fillFromRow, resource: 'templateDeprecated', templateNumber: 1 },
		],
	])('is named in %s, with the folders that there are', async (_, parameters) => {
		const deals = await folder('Deals');
		const [file] = await withFile();
		const item = { ...tenants(1)[0], ...file, json: tenants(1)[0]?.json ?? {} };
		const { error } = await suite.run({ ...parameters, additionalFields }, [item]);
		expect(error).toMatchObject({
			message: `${FAULT} [item 0]`,
			description: expect.stringContaining(`The folders are: Deals (${deals}).`) as string,
		});
		expect(suite.documents()).toEqual([]);
	});

	test('of the other kind is named in Template: Create', async () => {
		const deals = await folder('Deals');
		const parameters = { resource: 'template', operation: 'create', ...contract };
		const given = { ...parameters, additionalFields: { folderId: deals } };
		const { error } = await suite.run(given, await withFile());
		expect(error).toMatchObject({
			message: `'Folder ID' is "${deals}", but there is no folder of templates with this ID [item 0]`,
			description: expect.stringContaining('There are none yet.') as string,
		});
	});

	test('is not blamed for something else that Documenso does not find', async () => {
		const folderId = await folder('Deals');
		const given = { ...createAndSend, additionalFields: { folderId } };
		const body = { message: 'Sender not found', data: { code: 'NOT_FOUND' } };
		suite.service.fail({ match: 'POST /envelope/create', status: 404, body });
		const { error } = await suite.run(given, await withFile());
		expect(error?.message).toBe('Sender not found');
	});

	test('is named where something is moved into it, and where another is created in it', async () => {
		const move = {
			resource: 'folder',
			operation: 'moveEnvelope',
			envelopeId: byId(RENTAL_AGREEMENT.id),
			folderId: byId(await folder('Deals')),
		};
		expect((await suite.run(move)).error?.message).toMatch(
			/^'Folder' is "\w+", but there is no folder of templates with this ID/,
		);
		const create = { resource: 'folder', operation: 'create', name: '2026' };
		const { error } = await suite.run({ ...create, parentId: byId('nowhere') });
		expect(error?.message).toMatch(
			/^'Parent Folder' is "nowhere", but there is no folder of documents with this ID/,
		);
	});

	test('shows no more than twenty folders', async () => {
		for (let number = 1; number <= 21; number++) await folder(`Deals ${number}`);
		const { error } = await suite.run({ ...createAndSend, additionalFields }, await withFile());
		expect(error?.description?.match(/Deals \d+ \(/g)).toHaveLength(20);
		expect(error?.description).toContain('), ….');
	});
});

describe('a wrong time zone', () => {
	test.each(['Berlin', 'Europe/Berln', 'GMT plus 1'])(
		'%s is refused before any request, with examples',
		async (timezone) => {
			const { error } = await suite.run(
				{ ...createAndSend, additionalFields: { timezone } },
				await withFile(),
			);
			expect(error).toMatchObject({
				message: `'Additional Fields > Timezone' is "${timezone}", which is not a time zone [item 0]`,
				description: 'Use a name such as Europe/Berlin, America/New_York or Etc/UTC.',
			});
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test.each(['Europe/Berlin', 'Etc/UTC', 'utc', 'UTC+2'])('%s is one', async (timezone) => {
		const given = { ...createAndSend, additionalFields: { timezone } };
		expect((await suite.run(given, await withFile())).error).toBeUndefined();
	});
});

describe('something that is no ID', () => {
	const get = { resource: 'template', operation: 'get' };
	const FIND = 'Choose it from the list, or open it in Documenso and copy the part of its URL';

	test.each(['42', 'template_42'])(
		'such as the number %s of an older version of the API is called that',
		async (id) => {
			const { error } = await suite.run({ ...get, templateId: byId(`={{ "${id}" }}`) });
			expect(error).toMatchObject({
				message: `'Template' is "${id}", but an ID starts with envelope_ [item 0]`,
				description: `${id} is a number from an older version of the API. ${FIND} that starts with envelope_.`,
			});
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test('such as a title says where the ID is', async () => {
		const { error } = await suite.run({ ...get, templateId: byId('={{ "Rental agreement" }}') });
		expect(error?.description).toBe(`${FIND} that starts with envelope_.`);
	});

	test('is explained in Get Many by IDs, too', async () => {
		const { error } = await suite.run({ resource: 'document', operation: 'getByIds', id: '7' });
		expect(error).toMatchObject({
			message: '\'ID\' is "7", but an ID starts with envelope_ [item 0]',
			description: expect.stringMatching(
				/^Open the document or template in Documenso.* choose that under 'Kind of ID'\.$/,
			) as string,
		});
	});
});

describe('Skip takes a document for other people', () => {
	const skip = withId({ ifExternalIdExists: 'skip' });
	const isOurs = (hint: string) => hint.startsWith('For these items nothing was created');
	const rowFor = (email: string) => ({ json: { ...tenants(1)[0]?.json, 'Tenant email': email } });

	test('and a hint says for whom it is, and what to do', async () => {
		const [first] = (await suite.run(skip, [rowFor('ada@example.com')])).items;
		const { items, hints } = await suite.run(skip, [rowFor('b@example.com')]);
		expect(items[0]?.json).toMatchObject({ id: first?.json.id, alreadyExisted: true });
		expect(items).toHaveLength(1);
		expect(hints.find(isOurs)).toMatch(
			new RegExp(
				`External ID\\.<br>Item 0: ${first?.json.id as string} is for ada@example.com, landlord@example.com, not for b@example.com, landlord@example.com$`,
			),
		);
	});

	test('but none where it is for the same', async () => {
		await suite.run(skip, [rowFor('ada@example.com')]);
		const { hints } = await suite.run(skip, [rowFor('ADA@example.com')]);
		expect(hints.filter(isOurs)).toEqual([]);
	});

	test('and lists ten items at most', async () => {
		const rowsFor = (who: string) =>
			Array.from({ length: 12 }, (_, index) => ({
				json: { ...rowFor(`${who}${index}@example.com`).json, id: `RA-${index}` },
			}));
		await suite.run(skip, rowsFor('a'));
		const { hints } = await suite.run(skip, rowsFor('b'));
		expect(hints.find(isOurs)?.match(/<br>Item \d+:/g)).toHaveLength(10);
		expect(hints.find(isOurs)).toMatch(/<br>and 2 more$/);
	});
});

test('a value of a wrong type in a column says where to correct it', async () => {
	const [row] = tenants(1);
	const { error } = await suite.run(fillFromRow, [{ json: { ...row?.json, Rent: 'a lot' } }]);
	expect(error?.description).toBe(
		'Correct the data of the item, or what is entered in the node for it.',
	);
});

test('an input that is empty says where to correct it', async () => {
	const { error } = await suite.run({ ...createAndSend, title: '={{ "" }}' }, await withFile());
	expect(error).toMatchObject({
		message: "'Title' is empty [item 0]",
		description: 'Correct the value, or the expression that gives it.',
	});
});
