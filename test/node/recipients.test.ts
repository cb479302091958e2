import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { N8nProcess, thisProcess } from '../../nodes/shared/n8n/process';
import { hurry } from '../support/hurry';
import {
	documenso,
	execute,
	loadOptionsContext,
	retryCrashed,
	retryExecution,
} from '../support/n8n';
import { credentialFor, lines, sentTo } from '../support/service';
import {
	boxes,
	byId,
	fillFromRow,
	mapped,
	said,
	step,
	tenants,
	USE,
	useService,
	wholeRow,
	WITH_LINKS,
} from '../support/suite';

hurry(30);

const suite = useService({ seed: 'demo' });

const { calls, documents } = suite;

const { loadOptions, resourceMapping } = new Documenso().methods;

describe('those whom a row names', () => {
	const tenant = { 'Tenant email': 'tina@example.com', 'Tenant name': 'Tina Tenant' };

	const use = { ...fillFromRow, columns: mapped(tenant) };

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
});

describe('those who may be left out', () => {
	const DELETE = 'POST /envelope/recipient/delete';

	const SEND = 'POST /envelope/distribute';

	const READ = /^GET \/envelope\/envelope_/;

	/** A template of which a guarantor and a witness sign only some documents. */
	beforeEach(() => {
		const { recipients, fields } = suite.template();
		const [tenant] = recipients;
		const copyOf = (name: 'address' | 'tenantSignature', id: number, recipientId: number) => {
			const place = { page: 2, positionX: 5, positionY: 20 + fields.length * 5, height: 3 };
			fields.push({ ...suite.field(name), id, recipientId, ...place });
		};
		for (const [index, name] of ['Guarantor', 'Witness'].entries()) {
			const [number, id] = [index + 2, 100 + index];
			if (!tenant) throw new Error('The template has nobody');
			recipients.push({
				...tenant,
				...{ id, name, email: `recipient.${number}@documenso.com`, signingOrder: number + 1 },
			});
			copyOf('tenantSignature', 100 + index, id);
		}
		copyOf('address', 110, 100);
		Object.assign(fields.at(-1) ?? {}, { fieldMeta: { type: 'text', label: 'Employer' } });
		copyOf('address', 111, 100);
		const ticked = { type: 'checkbox', label: 'Self-employed', values: boxes('Yes') };
		Object.assign(fields.at(-1) ?? {}, { type: 'CHECKBOX', fieldMeta: ticked });
	});

	const mayBeLeftOut = ['Guarantor', 'Witness'];

	const create: IDataObject = { ...fillFromRow, additionalFields: { mayBeLeftOut } };

	const skip: IDataObject = {
		...create,
		additionalFields: { mayBeLeftOut, ifExternalIdExists: 'skip' },
	};

	const nobody = { 'Guarantor email': '', 'Guarantor name': '', Employer: '', 'Witness email': '' };

	const guarantor = {
		...{ 'Guarantor email': 'gerda@example.com', 'Guarantor name': 'Gerda', Employer: 'ACME' },
	};

	const row = (changes: IDataObject = {}) => ({
		json: { ...wholeRow, 'External ID': 'RA-1', ...nobody, ...changes },
	});

	/** Who is in each document, those who sign first before the others. */
	const people = () =>
		documents().map(({ recipients }) => recipients.map(({ email }) => email).sort());
	const TWO = ['landlord@example.com', 'tina@example.com'];

	/** The requests that change something or read a document, from the creation on. */
	const sinceUse = () => lines(suite.service).slice(lines(suite.service).indexOf(USE));

	/** Nothing is known of what this process did, as if n8n had been started anew. */
	function restart() {
		Object.assign(thisProcess, new N8nProcess());
		suite.service.calls.length = 0;
	}

	describe('a recipient who may be left out', () => {
		test('leaves nothing that is sent if Documenso has added people without a place in the signing order', async () => {
			suite.template().documentMeta.signingOrder = 'SEQUENTIAL';
			suite.service.intercept(USE, async ({ pass }) => {
				const answer = await pass();
				const added = documents()[0]?.recipients ?? [];
				for (const id of [901, 902]) {
					const email = `boss${id}@example.com`;
					const boss = { email, role: 'APPROVER', signingOrder: null } as const;
					if (added[0]) added.push({ ...added[0], id, ...boss });
				}
				return answer;
			});
			expect(said(await suite.run(create, [row()]))).toContain('has no signing order, and neither');
			expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
		});

		test('is in the document if an address is given, which takes one request as always', async () => {
			const [made] = await suite.outputOf(create, [
				row({ ...guarantor, 'Witness email': 'w@example.com' }),
			]);
			expect(people()).toEqual([['gerda@example.com', ...TWO, 'w@example.com'].sort()]);
			expect(made?.status).toBe('PENDING');
			expect(sinceUse()).toEqual([USE]);
		});

		test('is taken out where the cell is empty, with the fields, before the document is sent', async () => {
			const rows = [
				row({ ...guarantor, 'External ID': 'A', 'Witness email': 'w@example.com' }),
				row({ 'External ID': 'B', 'Witness email': 'w@example.com' }),
			];
			const [whole, reduced] = await suite.outputOf({ ...create, ...WITH_LINKS }, rows);
			expect(people()[1]).toEqual([...TWO, 'w@example.com']);
			const made = documents()[1];
			expect(made?.status).toBe('PENDING');
			expect(made?.fields).toHaveLength(suite.template().fields.length - 3);
			expect(whole?.recipients).toHaveLength(4);
			expect(Object.keys(reduced ?? {})).toEqual(Object.keys(whole ?? {}));
			expect(reduced?.recipients).toMatchObject(
				['tina', 'landlord', 'w'].map((name) => ({
					email: `${name}@example.com`,
					signingUrl: expect.stringContaining('/sign/') as string,
				})),
			);
		});

		test('takes three more requests in such a row, and one more for each further person', async () => {
			await suite.outputOf(create, [row({ 'Witness email': 'w@example.com' })]);
			expect(sinceUse()).toEqual([USE, DELETE, expect.stringMatching(READ), SEND]);
			suite.service.calls.length = 0;
			await suite.outputOf(create, [row({ 'External ID': 'RA-2' })]);
			expect(sinceUse()).toEqual([USE, DELETE, DELETE, expect.stringMatching(READ), SEND]);
			expect(people()[1]).toEqual(TWO);
		});

		test('is left out of a draft that is not sent, too', async () => {
			const [made] = await suite.outputOf({ ...create, send: false }, [row()]);
			expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
			expect(people()).toEqual([TWO]);
			expect(made?.recipients).toHaveLength(2);
		});

		test('has no real address in the draft, also if the template has one', async () => {
			const { recipients } = suite.template();
			Object.assign(recipients.find(({ id }) => id === 100) ?? {}, { email: 'bank@example.com' });
			await suite.outputOf(create, [row()]);
			expect(JSON.stringify(sentTo(suite.service, USE))).not.toContain('bank@example.com');
			expect(people()).toEqual([TWO]);
		});

		test('is taken out where the column is missing, or mapped to nothing', async () => {
			const { 'Guarantor email': _email, ...others } = row().json;
			await suite.outputOf(create, [{ json: others }]);
			const columns = mapped({
				...wholeRow,
				...{ 'Guarantor email': '={{ $json.guarantor }}', 'Guarantor name': '={{ $json.nobody }}' },
			});
			await suite.outputOf({ ...create, columns }, [{ json: {} }]);
			expect(people()).toEqual([TWO, TWO]);
		});

		test('needs no signature field if they are not there', async () => {
			const { fields } = suite.template();
			fields.splice(
				fields.findIndex(({ id }) => id === 100),
				1,
			);
			await suite.outputOf(create, [row()]);
			expect(people()).toEqual([TWO]);
			const run = await suite.run(create, [row({ ...guarantor, 'External ID': 'RA-2' })]);
			expect(said(run)).toContain('Guarantor is a signer without a signature field');
		});

		test('is told in a hint, with the items', async () => {
			const { hints } = await suite.run(create, [
				row({ ...guarantor, 'External ID': 'A' }),
				row({ 'External ID': 'B' }),
			]);
			expect(hints).toContain(
				'Left out of these documents, with their fields, because no email address is given for them: Witness, Guarantor (item 1).',
			);
		});

		test('is refused under a name that the template does not have', async () => {
			const additionalFields = { mayBeLeftOut: ['Guarantors'] };
			const run = await suite.run({ ...create, additionalFields }, [row(guarantor)]);
			expect(said(run)).toContain(
				'\'Recipients That May Be Left Out\' has "Guarantors", who is no recipient of the template',
			);
			expect(said(run)).toContain('"Guarantor"');
			expect(documents()).toEqual([]);
		});

		test('has to be chosen, and an error without an address says so', async () => {
			const additionalFields = { mayBeLeftOut: ['Witness'] };
			const run = await suite.run({ ...create, additionalFields }, [row()]);
			expect(said(run)).toContain("'Guarantor email' is empty");
			expect(said(run)).toContain("'Additional Fields > Recipients That May Be Left Out'");
			expect(documents()).toEqual([]);
		});

		test('is warned of if the template has an address, and no item has a column for another', async () => {
			const { recipients } = suite.template();
			Object.assign(recipients.find(({ id }) => id === 100) ?? {}, { email: 'bank@example.com' });
			const { 'Guarantor email': _email, 'External ID': _id, ...others } = row().json;
			const WARNING: unknown = expect.stringContaining(
				'because no item has a column for it: Guarantor. If',
			);
			expect((await suite.run(create, [{ json: others }])).hints).toContainEqual(WARNING);
			expect((await suite.run(create, [row()])).hints).not.toContainEqual(WARNING);
			const columns = mapped({ ...wholeRow, 'Guarantor email': '={{ $json.guarantor }}' });
			const { hints } = await suite.run({ ...create, columns }, [{ json: {} }]);
			expect(hints).not.toContainEqual(WARNING);
		});
	});

	describe('a row without an address', () => {
		const WHY = "has a value for a recipient who is left out: 'Guarantor email' has no address";

		test.each([
			['a field', { Employer: 'ACME' }, 'Employer'],
			['the name', { 'Guarantor name': 'Gerda' }, 'Guarantor name'],
			['the order', { 'Guarantor signing order': 3 }, 'Guarantor signing order'],
			['a ticked box', { 'Self-employed': 'TRUE' }, 'Self-employed'],
		])('but a value for %s of theirs is refused', async (_, changes, column) => {
			const run = await suite.run(create, [row(), row({ ...changes, 'External ID': 'RA-2' })]);
			expect(said(run)).toContain(`'${column}' ${WHY} [item 1]`);
			expect(documents()).toEqual([]);
		});

		test('but a value in Prefill (JSON) is refused', async () => {
			const additionalFields = { mayBeLeftOut, prefillJson: '{ "Employer": "ACME" }' };
			const run = await suite.run({ ...create, additionalFields }, [row()]);
			expect(said(run)).toContain(`'Employer' ${WHY}`);
		});

		test('may have a box that is not ticked', async () => {
			await suite.outputOf(create, [row({ 'Self-employed': false })]);
			expect(people()).toEqual([TWO]);
		});

		test('may have a value that others need, too', async () => {
			const own = suite.template().fields.find(({ id }) => id === 110);
			Object.assign(own?.fieldMeta ?? {}, { label: 'Tenant name' });
			await suite.outputOf(create, [row()]);
			expect(sentTo(suite.service, USE).prefillFields).not.toContainEqual(
				expect.objectContaining({ id: 110 }),
			);
			expect(people()).toEqual([TWO]);
		});

		test('but a column that is nearly the one of the address is refused', async () => {
			const run = await suite.run(create, [row({ 'Guarantor emial': 'gerda@example.com' })]);
			expect(said(run)).toContain(`'Guarantor emial' (did you mean "Guarantor email"?)`);
			expect(documents()).toEqual([]);
		});

		test('may have a column Email or Name, unless nothing else gives the address', async () => {
			await suite.outputOf(create, [row({ Email: 'agent@example.com', Name: 'Quay House' })]);
			expect(people()).toEqual([TWO]);
			const { 'Witness email': _email, ...others } = row({ 'External ID': 'RA-2' }).json;
			const run = await suite.run(create, [{ json: { ...others, Email: 'w@example.com' } }]);
			expect(said(run)).toContain(`'Email' (did you mean "Witness email"?)`);
		});

		test('is refused if nobody who signs is left', async () => {
			const { recipients } = suite.template();
			Object.assign(recipients.find(({ name }) => name === 'Anna Landlord') ?? {}, { role: 'CC' });
			const additionalFields = { mayBeLeftOut: [...mayBeLeftOut, 'Tenant'] };
			const { 'Tenant name': _name, ...others } = row({ 'Tenant email': '' }).json;
			const run = await suite.run({ ...create, additionalFields }, [{ json: others }]);
			expect(said(run)).toContain(
				"'Recipients That May Be Left Out' leaves nobody who signs: 'Tenant email' and 'Guarantor email' and 'Witness email' have no address",
			);
			expect(documents()).toEqual([]);
		});
	});

	describe('a preview', () => {
		const preview = async (json: IDataObject) => {
			const [output] = await suite.outputOf({ ...create, operation: 'previewDocument' }, [
				{ json },
			]);
			return output?.documensoPreview as IDataObject & {
				recipients: IDataObject[];
				fields: IDataObject[];
			};
		};

		test('shows who is left out, and neither them nor their fields among the others', async () => {
			const shown = await preview(row().json);
			expect(shown.leftOut).toEqual(['Guarantor', 'Witness']);
			expect(shown.recipients.map(({ email }) => email).sort()).toEqual(TWO);
			expect(shown.fields).toHaveLength(suite.template().fields.length - 4);
			expect(shown.fields.map(({ name }) => name)).not.toContain('Employer');
			expect((await preview(row(guarantor).json)).leftOut).toEqual(['Witness']);
		});

		test('approves only a document for the same people', async () => {
			const { digest } = await preview(row().json);
			const options = { onlyAsPreviewed: '={{ $json.digest }}' };
			const changed = await suite.run({ ...create, options }, [row({ ...guarantor, digest })]);
			expect(said(changed)).toContain('it differs from the preview in the recipients');
			await suite.outputOf({ ...create, options }, [row({ digest })]);
			expect(people()).toEqual([TWO]);
			expect(documents()).toMatchObject([{ status: 'PENDING' }]);
		});
	});

	describe('a run that is done again', () => {
		test('with Skip creates nothing, twice', async () => {
			const rows = [row({ ...guarantor, 'External ID': 'A' }), row({ 'External ID': 'B' })];
			const first = await suite.outputOf(skip, rows);
			for (const _ of ['again', 'and again']) {
				restart();
				const next = await suite.outputOf(skip, rows);
				expect(next.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
				expect(calls(USE).concat(calls(DELETE), calls(SEND))).toEqual([]);
			}
			expect(documents()).toHaveLength(2);
		});

		/** Nobody is deleted, or nothing sent: what the node did before remains, as if n8n had been killed then. */
		const killedBefore = {
			deletion: () => {
				suite.service.fail({ match: DELETE, times: 4, status: 400, body: { message: 'Killed' } });
			},
			sending: () => {
				suite.service.fail({ match: SEND, status: 400, body: { message: 'Killed' } });
			},
		};
		const rows = [row()];
		const nodes = [documenso(skip)];

		const cases = [
			['the deletion', killedBefore.deletion, 4, 2],
			['the sending', killedBefore.sending, 2, 0],
		] as const;

		test.each(cases)(
			'with Skip finishes a draft that died before %s',
			async (_, kill, left, todo) => {
				kill();
				await suite.run(skip, rows);
				expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
				expect(people()[0]).toHaveLength(left);
				restart();
				const [made] = await suite.outputOf(skip, rows);
				expect(made).toMatchObject({ status: 'PENDING', alreadyExisted: true, sentNow: true });
				expect(made?.recipients).toHaveLength(2);
				expect(people()).toEqual([TWO]);
				expect(documents()).toMatchObject([{ status: 'PENDING' }]);
				expect(calls(DELETE)).toHaveLength(todo);
				expect(calls(SEND)).toHaveLength(1);
			},
		);

		test.each(cases)(
			'by Retry finishes a draft that died before %s',
			async (_, kill, left, todo) => {
				kill();
				const failed = await execute(credentialFor(suite.service), nodes, rows);
				expect(people()[0]).toHaveLength(left);
				suite.service.calls.length = 0;
				const { data } = await retryExecution(credentialFor(suite.service), nodes, failed);
				expect(data.resultData.error).toBeUndefined();
				expect(people()).toEqual([TWO]);
				expect(documents()).toMatchObject([{ status: 'PENDING' }]);
				expect(calls(DELETE)).toHaveLength(todo);
				expect(calls(USE)).toEqual([]);
			},
		);

		test('by Retry after n8n was killed finishes a draft that died before the deletion', async () => {
			killedBefore.deletion();
			const killed = await execute(credentialFor(suite.service), nodes, rows);
			restart();
			const { data } = await retryCrashed(credentialFor(suite.service), nodes, rows, killed);
			expect(data.resultData.error).toBeUndefined();
			expect(people()).toEqual([TWO]);
			expect(documents()).toMatchObject([{ status: 'PENDING' }]);
		});

		test('leaves a draft that died before the deletion to nobody else, who would send it as it is', async () => {
			killedBefore.deletion();
			await suite.run(skip, rows);
			const run = await suite.run(step('document.send', { documentId: documents()[0]?.id }));
			expect(said(run)).toContain('has the address of a placeholder: left-out.100@n8n.invalid');
			expect(calls(SEND)).toEqual([]);
		});

		test('with Skip does not send a draft with a guarantor who is left out now', async () => {
			await suite.outputOf({ ...skip, send: false }, [row(guarantor)]);
			restart();
			const run = await suite.run(skip, rows);
			expect(said(run)).toContain('gerda@example.com');
			expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
		});

		test('with Skip does not send a draft to somebody who gets a copy, and is left out now', async () => {
			const { recipients, fields } = suite.template();
			Object.assign(recipients.find(({ id }) => id === 101) ?? {}, { role: 'CC' });
			fields.splice(
				fields.findIndex(({ recipientId }) => recipientId === 101),
				1,
			);
			await suite.outputOf({ ...skip, send: false }, [row({ 'Witness email': 'w@example.com' })]);
			restart();
			expect(said(await suite.run(skip, [row()]))).toContain('w@example.com');
			expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
		});

		test('with Skip If Same Recipients has no document that was sent to the guarantor as well', async () => {
			const same = { ...skip, additionalFields: { mayBeLeftOut, ifExternalIdExists: 'skipSame' } };
			await suite.outputOf(same, [row(guarantor)]);
			const run = await suite.run(same, [row()]);
			expect(said(run)).toContain('gerda@example.com');
			expect(said(run)).toContain('which a document already has');
			expect(await suite.outputOf(same, [row(guarantor)])).toMatchObject([
				{ alreadyExisted: true },
			]);
			expect(documents()).toHaveLength(1);
		});

		test('with Skip does not send a draft without the guarantor who is given now', async () => {
			await suite.outputOf({ ...skip, send: false }, rows);
			restart();
			const run = await suite.run(skip, [row(guarantor)]);
			expect(said(run)).toContain('It was never sent');
			expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
		});
	});

	test('a draft that could not be signed to its end without them is not sent', async () => {
		const { team } = suite.template();
		team.defaultRecipients = [{ email: 'boss@example.com', name: 'Boss', role: 'SIGNER' }];
		try {
			const run = await suite.run(create, [row()]);
			expect(said(run)).toContain('Boss (boss@example.com) is a signer without a signature field');
			expect(said(run)).toContain(`The draft ${documents()[0]?.id} was not sent.`);
			expect(sinceUse()).toEqual([USE, DELETE, DELETE, expect.stringMatching(READ)]);
		} finally {
			delete team.defaultRecipients;
		}
	});

	describe('a deletion', () => {
		test('whose answer is lost is not done again', async () => {
			suite.service.fail({ match: DELETE, cut: 'after' });
			await suite.outputOf(create, [row({ 'Witness email': 'w@example.com' })]);
			expect(calls(DELETE)).toHaveLength(1);
			expect(documents()).toMatchObject([{ status: 'PENDING' }]);
		});

		test('that Documenso has not done, whatever it answered, is done once more', async () => {
			suite.service.fail({ match: DELETE, status: 200, body: { success: true } });
			await suite.outputOf(create, [row()]);
			expect(calls(DELETE)).toHaveLength(3);
			expect(people()).toEqual([TWO]);
		});

		test('that fails leaves a draft that is not sent, and the error names it', async () => {
			suite.service.fail({ match: DELETE, times: 4, status: 400, body: { message: 'Locked' } });
			const run = await suite.run(create, [row()]);
			expect(said(run)).toContain('Locked');
			expect(said(run)).toContain('Guarantor, Witness could not be taken out of the draft.');
			expect(said(run)).toContain(`The draft ${documents()[0]?.id} was not sent.`);
			expect(calls(SEND)).toEqual([]);
		});

		test('that fails leaves no draft if drafts that cannot be sent are to be deleted', async () => {
			suite.service.fail({ match: DELETE, times: 4, status: 400, body: { message: 'Locked' } });
			const additionalFields = { mayBeLeftOut, ifSendingFails: 'delete' };
			const run = await suite.run({ ...create, additionalFields }, [row()]);
			expect(said(run)).toContain('was deleted');
			expect(documents()).toEqual([]);
		});
	});

	describe('an execution', () => {
		const wait = { ...create, operation: 'createDocumentUntilSigned' };

		test('waits for those who are left', async () => {
			await suite.run(wait, [row()]);
			expect(documents()).toMatchObject([{ status: 'PENDING' }]);
			expect(documents()[0]?.externalId).toMatch(/^RA-1 n8n-wait:/);
			expect(people()).toEqual([TWO]);
		});

		test('leaves no marker in a draft that somebody cannot be taken out of', async () => {
			suite.service.fail({ match: DELETE, times: 4, status: 400, body: { message: 'Locked' } });
			await suite.run(wait, [row()]);
			expect(documents()).toMatchObject([{ status: 'DRAFT', externalId: 'RA-1' }]);
		});
	});

	test('in a test, nobody is left in the document but the tester', async () => {
		const options = { manualExecutionsSendTo: 'anna@example.com' };
		const tested = { ...create, options };
		const [made] = await suite.outputOf(tested, [row()], { mode: 'manual' });
		expect(made).toMatchObject({ isTest: true, status: 'PENDING' });
		expect(people()).toEqual([['anna+1@example.com', 'anna+2@example.com']]);
	});

	describe('in the editor', () => {
		const context = (parameters: IDataObject) =>
			loadOptionsContext(credentialFor(suite.service), parameters);

		test('the recipients of the template are offered', async () => {
			const options = await loadOptions.getTemplateRecipients.call(context(create));
			expect(options.map(({ value }) => value)).toEqual([
				'Tenant',
				'Anna Landlord',
				'Guarantor',
				'Witness',
			]);
		});

		test('an address is not required of those who are chosen', async () => {
			const columnsFor = async (parameters: IDataObject) => {
				const { fields } = await resourceMapping.getTemplateColumns.call(context(parameters));
				return fields.filter(({ required }) => required).map(({ id }) => id);
			};
			expect(await columnsFor(fillFromRow)).toEqual([
				'Tenant email',
				'Guarantor email',
				'Witness email',
			]);
			expect(await columnsFor(create)).toEqual(['Tenant email']);
		});
	});
});

describe('a part of another document than the one that is named', () => {
	test.each([
		['field', 'get'],
		['field', 'move'],
		['field', 'update'],
		['field', 'delete'],
		['recipient', 'get'],
		['recipient', 'getSigningLink'],
		['recipient', 'delete'],
	])('is left alone by %s: %s', async (resource, operation) => {
		const [named, other] = [await suite.document(), await suite.document()];
		const parts = resource === 'field' ? other.fields : other.recipients;
		const changes = { updateFields: { positionY: 3 }, settings: { label: 'Place' } };
		const parameters = step(
			`${resource}.${operation}`,
			{ [`${resource}Id`]: parts[0]?.id },
			changes,
		);
		const { error } = await suite.run({ ...parameters, envelopeId: byId(named.id) });
		expect(error?.message).toContain(
			`'Document or Template' is ${named.id}, but the ${resource} is in ${other.id}`,
		);
		expect(suite.changes()).toEqual([]);
		// With an ID it may stay empty.
		expect((await suite.run(parameters)).error).toBeUndefined();
	});

	test.each([
		['an address', (id: string) => `https://app.documenso.com/t/team/documents/${id}`],
		['a number', () => 'document_7'],
		['a cell that JavaScript has filled', () => 'undefined'],
	])('is none where %s is named', async (_, name) => {
		const { id, fields } = await suite.document();
		const ids = { envelopeId: '={{ $json.document }}', fieldId: fields[0]?.id };
		const items = [{ json: { document: name(id) } }];
		expect((await suite.run(step('field.delete', ids), items)).error).toBeUndefined();
	});
});

describe('a recipient', () => {
	/** Of a draft. */
	const onFirst = ({ id, recipients }: Envelope, operation: string, changes: IDataObject = {}) =>
		step(`recipient.${operation}`, { envelopeId: id, recipientId: recipients[0]?.id }, changes);

	test('Add puts a recipient into a document', async () => {
		const { id } = await suite.document();
		const anna = { email: 'anna@example.com', name: 'Anna', role: 'APPROVER' };
		const additionalFields = { signingOrder: 2, accessAuth: ['ACCOUNT'] };
		const add = step('recipient.add', { envelopeId: id }, { ...anna, additionalFields });
		const [added] = await suite.outputOf(add);
		expect(sentTo(suite.service, 'POST /envelope/recipient/create-many')).toEqual({
			envelopeId: id,
			data: [{ ...anna, ...additionalFields }],
		});
		expect(added).toMatchObject({
			email: 'anna@example.com',
			role: 'APPROVER',
			sendStatus: 'NOT_SENT',
		});
		expect(added).not.toHaveProperty('token');
	});

	test('Update changes what is given, and nothing else', async () => {
		const document = await suite.document();
		const [tenant] = document.recipients;
		const authOptions = { accessAuth: ['ACCOUNT' as const], actionAuth: [] };
		if (tenant) tenant.authOptions = authOptions;
		const updateFields = { name: 'Tina Turner' };
		const [updated] = await suite.outputOf(onFirst(document, 'update', { updateFields }));
		expect(sentTo(suite.service, 'POST /envelope/recipient/update-many')).toEqual({
			envelopeId: document.id,
			data: [{ id: tenant?.id, name: 'Tina Turner', ...authOptions }],
		});
		expect(updated).toMatchObject({ name: 'Tina Turner', email: 'tenant@example.com' });
	});

	test('Update without a change is refused', async () => {
		const { error } = await suite.run(onFirst(await suite.document(), 'update'));
		expect(error?.message).toBe("'Update Fields' is empty [item 0]");
	});

	test('Get reads a recipient; Simplify leaves the signing token out', async () => {
		const { recipients } = await suite.document();
		const get = step('recipient.get', { recipientId: recipients[0]?.id });
		const [simple] = await suite.outputOf(get);
		expect(lines(suite.service)).toEqual([`GET /envelope/recipient/${recipients[0]?.id ?? ''}`]);
		expect(simple).toMatchObject({ id: recipients[0]?.id, email: 'tenant@example.com' });
		expect(Object.keys(simple ?? {}).length).toBeLessThanOrEqual(10);
		const [raw] = await suite.outputOf({ ...get, output: 'raw' });
		expect(raw).toHaveProperty('token');
	});

	test('Get Signing Link makes the link that the service does not give', async () => {
		const document = await suite.document();
		const { id, recipients } = document;
		expect(await suite.outputOf(onFirst(document, 'getSigningLink'))).toEqual([
			{
				id: recipients[0]?.id,
				envelopeId: id,
				email: 'tenant@example.com',
				name: 'Tina',
				role: 'SIGNER',
				signingStatus: 'NOT_SIGNED',
				signingUrl: `${suite.service.url}/sign/${recipients[0]?.token ?? ''}`,
			},
		]);
	});

	test('Get Signing Link says why Documenso shows none', async () => {
		const document = await suite.document('createAndSend');
		const [recipient] = document.recipients;
		if (recipient) recipient.token = '';
		expect((await suite.run(onFirst(document, 'getSigningLink'))).error).toMatchObject({
			message: 'Documenso shows no signing link for tenant@example.com [item 0]',
			description: expect.stringContaining("API token of the document's owner") as string,
		});
	});

	test('Delete takes a recipient out', async () => {
		const document = await suite.document();
		const recipientId = document.recipients[0]?.id;
		const [deleted] = await suite.outputOf(onFirst(document, 'delete'));
		expect(sentTo(suite.service, 'POST /envelope/recipient/delete')).toEqual({ recipientId });
		expect(deleted).toEqual({ id: recipientId, deleted: true });
		expect(document.recipients).toEqual([]);
	});

	test('Reject on Behalf ends the document', async () => {
		const document = await suite.document('createAndSend');
		const { id: documentId, recipients } = document;
		const ids = { documentId, recipientId: recipients[0]?.id };
		const reject = step('recipient.rejectOnBehalf', ids, { reason: 'Moved away' });
		const [rejected] = await suite.outputOf(reject);
		expect(
			sentTo(suite.service, `POST /envelope/recipient/${recipients[0]?.id ?? ''}/reject`),
		).toEqual({ envelopeId: documentId, reason: 'Moved away' });
		expect(rejected).toMatchObject({ signingStatus: 'REJECTED', rejectionReason: 'Moved away' });
		await suite.service.settled();
		expect(document.status).toBe('REJECTED');
	});

	test('an ID that is no number is refused before any request', async () => {
		const error = await suite.refused(step('recipient.get', { recipientId: '={{ "x1" }}' }));
		expect(error.message).toBe("'Recipient' is not a number [item 0]");
	});
});
