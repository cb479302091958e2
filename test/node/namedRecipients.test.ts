import type { IDataObject } from 'n8n-workflow';

import { sentTo } from '../support/service';
import { fillFromRow, mapped, tenants, USE, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

const tenant = { 'Tenant email': 'tina@example.com', 'Tenant name': 'Tina Tenant' };
const use = { ...fillFromRow, columns: mapped(tenant) };
const { documents } = suite;

describe('the recipients of a new document', () => {
	test('are returned in the order in which they sign', async () => {
		const { items } = await suite.run(use);
		const recipients = items[0]?.json.recipients as Array<{ email: string }>;
		expect(recipients.map(({ email }) => email)).toEqual([
			'tina@example.com',
			'landlord@example.com',
		]);
	});

	test('keep the template’s name where they have none, if it is no placeholder’s', async () => {
		const columns = mapped({ ...tenant, 'Anna Landlord email': 'other@example.com' });
		await suite.run({ ...use, columns });
		const { recipients } = sentTo(suite.service, USE) as { recipients: IDataObject[] };
		expect(recipients[1]).toMatchObject({ email: 'other@example.com', name: 'Anna Landlord' });
	});

	test('keep the template’s email where they are given a name alone, of 255 characters at most', async () => {
		const columns = mapped({ ...tenant, 'Anna Landlord name': 'x'.repeat(255) });
		await suite.outputOf({ ...use, columns });
		expect(sentTo(suite.service, USE).recipients).toMatchObject([
			{ email: 'tina@example.com' },
			{ email: 'landlord@example.com' },
		]);
	});

	test('keep the template’s order with the order 0, also where there is none', async () => {
		const columns = mapped({ ...tenant, 'Tenant signing order': 0 });
		await suite.outputOf({ ...use, columns });
		expect(sentTo(suite.service, USE).recipients).toMatchObject([{ signingOrder: 1 }]);
	});
});

describe('placeholders of the template', () => {
	test.each(['recipient.1@documenso.com', ''])(
		'stay in a draft when the user allows them (%j)',
		async (email) => {
			Object.assign(suite.template().recipients[0] ?? {}, { email });
			const additionalFields = { allowPlaceholders: true };
			await suite.outputOf({
				...use,
				columns: mapped({}),
				send: false,
				additionalFields,
			});
			expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
		},
	);

	test('are never sent to', async () => {
		const additionalFields = { allowPlaceholders: true };
		const { error } = await suite.run({ ...use, columns: mapped({}), additionalFields });
		expect(error?.message).toMatch(/^'Tenant email' is missing/);
		expect(documents()).toHaveLength(0);
	});
});

describe('a template that cannot be sent', () => {
	test('is refused where a signer has no signature field', async () => {
		const template = suite.template();
		template.fields = template.fields.filter(({ recipientId }) => recipientId !== 1);
		const { error } = await suite.run(use);
		expect(error?.message).toMatch(
			/in "Rental agreement", Tenant is a signer without a signature field/,
		);
		expect(documents()).toHaveLength(0);
	});

	test('is refused where it has no recipients', async () => {
		suite.template().recipients = [];
		const { error } = await suite.run(fillFromRow, tenants(1));
		expect(error?.message).toBe(
			`'Template' cannot be sent: "Rental agreement" has no recipients [item 0]`,
		);
		expect(documents()).toHaveLength(0);
	});

	test('can be drafted', async () => {
		const template = suite.template();
		template.fields = template.fields.filter(({ type }) => type !== 'SIGNATURE');
		await suite.outputOf({ ...use, send: false });
		expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
	});
});

test('an address with a character that nobody sees is refused with what to do about it', async () => {
	const columns = mapped({ ...tenant, 'Tenant email': 'ti\u200bna@example.com' });
	const { error } = await suite.run({ ...use, columns });
	expect(error?.message).toContain('with a character that nobody sees: U+200B');
	expect(error?.description).toContain('Type the address again');
	expect(documents()).toHaveLength(0);
});
