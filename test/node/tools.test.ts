import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { onlyItem, useTrigger } from '../support/events';
import { inputOf, localStage } from '../support/localStage';
import { callTool, loadOptionsContext, NODE_TYPE } from '../support/n8n';
import { operations } from '../support/operations';
import { paperwork, Poller } from '../support/polling';
import { credentialFor } from '../support/service';
import {
	contract,
	createAndSend,
	fillFromRow,
	itemWithPdf,
	mapped,
	signature,
	signer,
	step,
	useService,
	wholeRow,
} from '../support/suite';

const suite = useService({ seed: 'demo' });

const stage = localStage(suite);

const asTool = { type: `${NODE_TYPE}Tool` };

/** What a model gets of a run: the output, or else the error with its description. */
async function shownToModel(
	parameters: IDataObject,
	items?: Parameters<typeof suite.run>[1],
	setup: Parameters<typeof suite.run>[2] = {},
) {
	const { items: output, error } = await suite.run(parameters, items, { ...asTool, ...setup });
	return error
		? [error.message, error.description ?? ''].join('\n')
		: JSON.stringify(output.map(({ json }) => json));
}

/** Texts by which somebody could sign, or edit. */
const LINKS = /token"|token=|signingUrl|\/sign\//i;

const addressesIn = (text: string) => text.match(/[^\s"<>:(]+@[\w.-]+/g) ?? [];

const MASKED = /^.…@/u;

/** A link or token is what these are for. */
const GIVES_LINK: Partial<Record<string, RegExp>> = {
	'directLink.create': /"token":".+"url":"http.+\/d\//,
	'directLink.disable': /"token":".+"url":"http.+\/d\//,
	'directLink.enable': /"token":".+"url":"http.+\/d\//,
	'embedToken.create': /"token":"/,
	'recipient.getSigningLink': /"signingUrl":"http.+\/sign\//,
};

/** Whoever approves has to see who gets it. */
const SHOWS_ADDRESSES = 'template.previewDocument';

describe('a model sees', () => {
	test.each(operations)('no link and no whole address from $id', async (one) => {
		const { parameters, items, others } = await inputOf(one, stage);
		for (const call of [{ parameters, items }, ...others]) {
			const shown = await shownToModel(call.parameters, call.items);
			expect(shown).not.toBe('');
			const whole = addressesIn(shown).filter((address) => !MASKED.test(address));
			expect(whole.length > 0).toBe(one.id === SHOWS_ADDRESSES);
			expect(shown).toMatch(GIVES_LINK[one.id] ?? /^/);
			if (!GIVES_LINK[one.id]) expect(shown).not.toMatch(LINKS);
		}
	});

	test('addresses in any text masked, and external IDs as they are: the next call may need them', async () => {
		const { id } = await suite.document('create', {
			title: 'Lease of tina@example.com',
			additionalFields: { externalId: 'tina@example.com' },
		});
		const shown = await shownToModel(step('document.get', { documentId: id }));
		expect(JSON.parse(shown)).toMatchObject([
			{
				id,
				title: 'Lease of t…@example.com',
				externalId: 'tina@example.com',
				recipients: [{ email: 't…@example.com', name: 'Tina' }],
			},
		]);
	});

	test('no signing link and no token inside a text', async () => {
		const { id } = await suite.document();
		const label = 'https://x.example/sign/kT3_abcdefghijkl';
		const link = { label, data: 'https://x.example?token=12345678' };
		const shown = await shownToModel(step('attachment.create', { envelopeId: id }, link));
		expect(JSON.parse(shown)).toMatchObject([
			{ label: 'https://x.example/sign/…', data: 'https://x.example?token=…' },
		]);
	});

	const wrongOwner: IDataObject = {
		...createAndSend,
		fields: { field: [{ ...signature, recipient: 'anna@example.com' }] },
	};

	test.each([
		['ends the run', {}],
		['is the output of an item', { onError: 'continueRegularOutput' as const }],
	])('masked addresses in an error that %s', async (_, setup) => {
		const shown = await shownToModel(wrongOwner, [await itemWithPdf()], setup);
		expect(shown).toContain('a…@example.com');
		expect(shown).toContain('1. Tina (t…@example.com)');
		expect(addressesIn(shown).filter((address) => !MASKED.test(address))).toEqual([]);
	});
});

describe('a model sees what the user has chosen', () => {
	const get = async (changes: IDataObject) => {
		const { id } = await suite.document();
		return await shownToModel(step('document.get', { documentId: id }, changes));
	};

	test.each([
		['Raw', { output: 'raw' }],
		['Selected Fields', { output: 'selected', outputFields: 'recipients' }],
	])('under Output: %s', async (_, changes) => {
		expect(await get(changes)).toMatch(/tenant@example\.com.+"token":"/);
	});

	test('but not what it has chosen itself', async () => {
		const left = '={{ $fromAI("fields", "", "string", "recipients") ?? "recipients" }}';
		const shown = await get({ output: 'selected', outputFields: left });
		expect(shown).toContain('t…@example.com');
		expect(shown).not.toMatch(LINKS);
	});
});

test('a masked address that a model gives back is refused, and nothing is created', async () => {
	const { error } = await suite.upload({
		recipients: { recipient: [{ ...signer, email: 't…@example.com' }] },
	});
	expect(error?.message).toBe(
		`'Recipients > Row 1 > Email' is "t…@example.com", but the whole address is needed [item 0]`,
	);
	expect(suite.documents()).toEqual([]);
});

describe("without an execution, as for a tool of n8n's MCP Server Trigger", () => {
	const setup = { ...asTool, hasNoExecution: true };

	test.each(operations)('$id works, or says why not', async (one) => {
		const { parameters, items } = await inputOf(one, stage);
		const shown = await shownToModel(parameters, items, setup);
		expect(shown).not.toContain('Cannot read properties');
		expect(shown).not.toContain('undefined');
	});

	test('each document has an External ID of its own', async () => {
		for (let call = 0; call < 2; call++) {
			expect(
				(await suite.run(createAndSend, [await itemWithPdf('A lease')], setup)).error,
			).toBeUndefined();
		}
		const ids = suite.documents().map(({ externalId }) => externalId);
		expect(new Set(ids).size).toBe(2);
		for (const id of ids) expect(id).toMatch(/^n8n:[0-9a-f-]{36}:/);
	});
});

describe('without anything that n8n keeps with an execution', () => {
	const created = { ...fillFromRow, columns: mapped(wholeRow) };

	test.each(['mcp', 'agent'] as const)('a tool of an %s creates a document', async (caller) => {
		const [item] = await callTool(credentialFor(suite.service), created, caller);
		expect(item?.json).toMatchObject({ id: suite.documents()[0]?.id, status: 'PENDING' });
	});

	test('a tool that n8n would try again as another call refuses Retry On Fail', async () => {
		const retried = { maxTries: 2 };
		const called = callTool(credentialFor(suite.service), created, 'mcp', retried);
		await expect(called).rejects.toThrow("'Retry On Fail' could do this twice");
		expect(suite.service.calls).toHaveLength(0);
		const list = { resource: 'document', operation: 'getAll' };
		expect(await callTool(credentialFor(suite.service), list, 'mcp', retried)).toEqual([]);
	});

	test('a tool without an input says that it gets no files', async () => {
		const called = callTool(credentialFor(suite.service), { ...createAndSend, ...contract }, 'mcp');
		await expect(called).rejects.toThrow(/This tool gets no files, so there is none in 'data'/);
		expect(suite.service.calls).toHaveLength(0);
	});
});

describe('what n8n’s assistant is told', () => {
	const { listen } = useTrigger(suite);

	const { description, methods } = new Documenso();

	const hint = description.builderHint?.searchHint ?? '';

	/** What n8n's assistant and its MCP server are told to enter, with a real template. */
	function advised(): IDataObject {
		const [, written = ''] = /use parameters (\{.*\})\. Input fields/.exec(hint) ?? [];
		const json = written.replace(/(\w+): /g, '"$1": ').replaceAll("'", '"');
		return JSON.parse(json.replace('envelope_…', RENTAL_AGREEMENT.id)) as IDataObject;
	}

	const row = { ...wholeRow, 'External ID': 'A-1' };

	test('the advised parameters make a document from a row, and no second one when run again', async () => {
		const [made] = await suite.outputOf(advised(), [{ json: row }]);
		expect(made).toMatchObject({ status: 'PENDING', externalId: 'A-1' });
		const [again] = await suite.outputOf(advised(), [{ json: row }]);
		expect(again?.id).toBe(made?.id);
		expect(suite.documents()).toHaveLength(1);
	});

	test('the output has what the hint names', async () => {
		const [, names = ''] = /Output: ([\w, ]+)\./.exec(hint) ?? [];
		const [made] = await suite.outputOf(advised(), [{ json: row }]);
		expect(Object.keys(made ?? {})).toEqual(expect.arrayContaining(names.split(', ')));
	});

	test('the method that the hint names lists the columns, for the advised parameters', async () => {
		const context = loadOptionsContext(credentialFor(suite.service), advised());
		const listed = await methods.loadOptions.getTemplateBlanks.call(context);
		const { fields } = await methods.resourceMapping.getTemplateColumns.call(context);
		expect(hint).toContain('getTemplateBlanks');
		expect(listed.map(({ value }) => value)).toContain('Tenant email');
		expect(fields.map(({ id }) => id)).toEqual(
			expect.arrayContaining(listed.map(({ value }) => value)),
		);
	});

	test('columns as a text are refused with the form that they need', async () => {
		const { error } = await suite.run({ ...advised(), columns: 'autoMapInputData' }, [
			{ json: row },
		]);
		expect(error?.message).toBe("'Columns' is not an object with mappingMode and value [item 0]");
		expect(suite.documents()).toEqual([]);
	});

	/** The places that the hint of a trigger names, such as `$json.document.title`. */
	const placesIn = (trigger: DocumensoTrigger | DocumensoPollingTrigger) =>
		[...(trigger.description.builderHint?.searchHint ?? '').matchAll(/\$json\.([\w.]*\w)/g)].map(
			([, path = '']) => path.split('.'),
		);

	test('the output of the trigger has what its hint names', async () => {
		const trigger = await listen({ events: ['DOCUMENT_SENT'] });
		await suite.outputOf(advised(), [{ json: row }]);
		await suite.service.settled();
		const places = placesIn(new DocumensoTrigger());
		expect(places.length).toBeGreaterThan(0);
		for (const path of places) expect(onlyItem(trigger).json).toHaveProperty(path);
	});

	test('the output of the polling trigger has what its hint names', async () => {
		const poller = new Poller(suite.service);
		await poller.poll();
		await paperwork(suite).begin();
		await suite.outputOf(advised(), [{ json: row }]);
		const [item] = await poller.poll();
		const places = placesIn(new DocumensoPollingTrigger());
		expect(places.length).toBeGreaterThan(0);
		for (const path of places) expect(item).toHaveProperty(path);
	});
});
