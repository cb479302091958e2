import { DEMO_TOKEN } from '../../emulator';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { fillFromRow, tenants, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

// n8n shows an error's description as HTML, with its links and styles.
const suite = useService({ seed: 'demo' });

const LINK = '<a href="https://example.com">Sign in</a>';
const ESCAPED = '&lt;a href="https://example.com">Sign in&lt;/a>';

test('the names of columns in an error are text', async () => {
	const { error } = await suite.run(fillFromRow, [{ json: { [LINK]: 1 } }]);
	expect(error?.description).toContain(ESCAPED);
	expect(error?.description).not.toContain('<a');
});

test('and so are those of a template’s files', async () => {
	const [file] = suite.template().items;
	if (file) file.title = LINK;
	const [row] = tenants(1);
	const item = await itemWith({ data: { content: await pdf() } }, row?.json);
	const replacedFiles = { file: [{ envelopeItemId: 'None', property: 'data' }] };
	const { error } = await suite.run({ ...fillFromRow, additionalFields: { replacedFiles } }, [
		item,
	]);
	expect(error?.description).toContain(ESCAPED);
	expect(error?.description).not.toContain('<a');
});

test('and so is what Documenso answers, which is cut short and shows no token', async () => {
	const body = { message: `${LINK} ${DEMO_TOKEN} ${'x'.repeat(1_000_000)}`, code: LINK };
	suite.service.fail({ match: 'GET /envelope/*', status: 400, body });
	const { error } = await suite.run(fillFromRow, [{ json: {} }]);
	expect(error?.message).toMatch(/^‹a href="https:\/\/example\.com">Sign in‹\/a> \*\*\* x+…$/);
	expect(error?.message.length).toBeLessThan(3000);
	expect(error?.description).toContain(ESCAPED);
	expect(JSON.stringify(error)).not.toContain(DEMO_TOKEN);
});

test('a failed item’s output has the plain text', async () => {
	const setup = { onError: 'continueRegularOutput' } as const;
	const { items } = await suite.run(fillFromRow, [{ json: { [LINK]: 1 } }], setup);
	expect(items[0]?.json.details).toHaveProperty(
		'description',
		expect.stringContaining(LINK) as string,
	);
});

test.each(['constructor', '__proto__'])(
	'an answer with the code %s is like any other',
	async (code) => {
		suite.service.fail({ match: 'GET /envelope/*', status: 400, body: { message: 'No', code } });
		const { error } = await suite.run(fillFromRow, [{ json: {} }]);
		expect(error).toMatchObject({
			message: 'No',
			description: expect.stringMatching(/ 400 \S+\.$/) as string,
		});
		expect(error?.description).not.toContain('native code');
	},
);
