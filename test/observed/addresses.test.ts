import { email } from '../../nodes/shared/n8n/values';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines, sentTo } from '../support/service';
import { byId, contract, mapped, useService } from '../support/suite';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';

const suite = useService({ seed: 'demo' });

const label = (length: number) => 'a'.repeat(length);
/** An address of so many characters; no label of its domain is longer than it may be. */
const ofLength = (length: number) => `${'a'.repeat(length - 6)}@b.com`;

/** Every one of these was tried on a running Documenso 2.17.0. */
const TAKEN = [
	'Søren@gmail.com',
	'user@münchen.example',
	'tina@localhost',
	'a@b',
	'用户@例え.jp',
	"o'brien+x@example.com",
	'.a..b.@example.com',
	'a@b--c.example',
	`a@${label(63)}.com`,
	`a@example.${label(63)}`,
	ofLength(253),
	ofLength(254),
];

const REFUSED = [
	'a',
	'@b.com',
	'a@',
	'a@b@c.com',
	'a b@c.com',
	'a@b c.com',
	'a@-b.com',
	'a@b-.com',
	'a@b.-c',
	'a@b.c-',
	'a@b..com',
	'a@.com',
	'a@b.',
	'a@c_d.com',
	'a"b@c.com',
	'a,b@c.com',
	'a;b@c.com',
	'(a)@c.com',
	'a@[127.0.0.1]',
	'😀@c.com',
	'a@😀.com',
	`a@${label(64)}.com`,
	ofLength(255),
	ofLength(256),
];

describe('13.5 Addresses that the service takes are taken', () => {
	test.each(TAKEN)('%s', (address) => {
		expect(email.parse(` ${address} `)).toBe(address);
	});

	test.each(REFUSED)('and %s, which it refuses, is refused', (address) => {
		expect(email.safeParse(address).error?.issues[0]?.message).toBe(
			`is not an email address: "${address}"`,
		);
	});

	test('by Document: Create, for a recipient and the owner', async () => {
		const item = await itemWith({ data: { content: await pdf('A lease') } });
		const [{ id } = { id: '' }] = await suite.outputOf(
			{
				resource: 'document',
				operation: 'create',
				title: 'Lease',
				recipients: {
					recipient: [
						{ email: 'Søren@gmail.com', name: 'Søren' },
						{ email: 'tina@localhost', name: 'Tina' },
					],
				},
				fields: {
					field: contract.fields.field.map((field) => ({
						...field,
						recipient: 'SØREN@gmail.com',
					})),
				},
				additionalFields: { emailReplyTo: 'user@münchen.example' },
			},
			[item],
		);
		const { recipients, fields } = suite.service.store.envelopes.get(id as string) ?? {};
		expect(recipients?.map((recipient) => recipient.email)).toEqual([
			'søren@gmail.com',
			'tina@localhost',
		]);
		expect(fields?.map(({ recipientId }) => recipientId)).toEqual([recipients?.[0]?.id]);
	});

	test('by Template: Create Document, which finds them again after a lost answer', async () => {
		const use = {
			resource: 'template',
			operation: 'createDocument',
			templateId: byId(RENTAL_AGREEMENT.id),
			columns: mapped({ 'Tenant email': 'SØREN@München.example' }),
		};
		suite.service.fail({ match: 'POST /envelope/use', cut: 'after' });
		expect(await suite.outputOf(use)).toMatchObject([{ status: 'PENDING' }]);
		expect(sentTo(suite.service, 'POST /envelope/use').recipients).toMatchObject([
			{ email: 'SØREN@München.example' },
		]);
		expect(suite.service.store.documents).toHaveLength(1);
	});

	test('by Recipient: Add, which refuses the others before any request', async () => {
		const { id } = await suite.document();
		const add = { resource: 'recipient', operation: 'add', envelopeId: byId(id) };
		await suite.outputOf({ ...add, email: 'user@münchen.example' });
		suite.service.calls.length = 0;
		const { error } = await suite.run({ ...add, email: 'user@-example.com' });
		expect(error?.message).toContain(`'Email' is not an email address: "user@-example.com"`);
		expect(lines(suite.service)).toEqual([]);
	});
});
