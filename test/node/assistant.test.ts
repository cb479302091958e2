import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { onlyItem, useTrigger } from '../support/events';
import { loadOptionsContext } from '../support/n8n';
import { paperwork, Poller } from '../support/polling';
import { credentialFor } from '../support/service';
import { useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });
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
	const { error } = await suite.run({ ...advised(), columns: 'autoMapInputData' }, [{ json: row }]);
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
