import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import type {
	FilterValue,
	IConnections,
	IDataObject,
	INode,
	INodeProperties,
	INodeTypeDescription,
	INodeTypes,
} from 'n8n-workflow';
import { executeFilter, NodeHelpers, Workflow } from 'n8n-workflow';

import { EMPLOYMENT_CONTRACT, MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor } from '../support/service';
import { byId, useService } from '../support/suite';

interface Example {
	id: string;
	name: string;
	active: boolean;
	nodes: INode[];
	connections: IConnections;
}

const folder = join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

const { description } = new Documenso();

const descriptions = new Map<string, INodeTypeDescription>([
	['n8n-nodes-documenso.documenso', description],
	['n8n-nodes-documenso.documensoTool', asTool(description)],
	['n8n-nodes-documenso.documensoTrigger', new DocumensoTrigger().description],
]);

/** n8n makes a second node for agents, with another name and further inputs. */
function asTool({ properties, ...rest }: INodeTypeDescription): INodeTypeDescription {
	const own = ['descriptionType', 'toolDescription'].map((name): INodeProperties => {
		return { displayName: name, name, type: 'string', default: '' };
	});
	return { ...rest, properties: [...own, ...properties] };
}

function read(file: string): Example {
	return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Example;
}

function connectionsOf({ connections }: Example) {
	return Object.entries(connections).flatMap(([from, outputs]) =>
		(outputs.main ?? []).flatMap((targets) =>
			(targets ?? []).map(({ node }) => ({ from, to: node })),
		),
	);
}

/** The inputs that the editor shows for these values, by name. */
function shownInputs(node: INode, description: INodeTypeDescription) {
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		node.parameters,
		true,
		false,
		node,
		description,
	);
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(values ?? {}, property, node, description),
	);
	return new Map(shown.map((property) => [property.name, property]));
}

function rowInputs(property: INodeProperties, group: string): string[] {
	const option = (property.options ?? []).find(({ name }) => name === group);
	return option && 'values' in option ? option.values.map(({ name }) => name) : [];
}

describe.each(files)('%s', (file) => {
	const example = read(file);

	test('gives every node a name and an id of its own', () => {
		for (const key of ['name', 'id'] as const) {
			const values = example.nodes.map((node) => node[key]);
			expect(new Set(values).size).toBe(values.length);
		}
	});

	test('connects existing nodes, from left to right', () => {
		const position = (name: string) =>
			example.nodes.find((node) => node.name === name)?.position[0];
		for (const { from, to } of connectionsOf(example)) {
			expect(position(from)).toBeLessThan(position(to) ?? NaN);
		}
	});

	test('carries no credential, and is not published by being imported', () => {
		expect(example.active).toBe(false);
		for (const node of example.nodes) expect(node.credentials).toBeUndefined();
	});

	test('sets only inputs that the nodes of this package show', () => {
		for (const node of example.nodes) {
			const description = descriptions.get(node.type);
			if (!description) continue;
			const inputs = shownInputs(node, description);
			expect([...inputs.keys()]).toEqual(expect.arrayContaining(Object.keys(node.parameters)));
			for (const [name, value] of Object.entries(node.parameters)) {
				const property = inputs.get(name);
				if (property?.type !== 'fixedCollection') continue;
				for (const [group, rows] of Object.entries(value as Record<string, object[]>)) {
					const keys = rows.flatMap((row) => Object.keys(row));
					expect(rowInputs(property, group)).toEqual(expect.arrayContaining(keys));
				}
			}
		}
	});
});

test('they use the node types of this package by their published names', () => {
	const types = files.flatMap((file) => read(file).nodes.map(({ type }) => type));
	const ours = types.filter((type) => !/^(n8n-nodes-base|@n8n\/)/.test(type));
	expect([...new Set(ours)].sort()).toEqual([...descriptions.keys()].sort());
});

test('docs/examples.md shows each with its picture', () => {
	const gallery = readFileSync(join(folder, '..', 'docs', 'examples.md'), 'utf8');
	for (const file of files) {
		expect(gallery).toContain(`**[${read(file).name}](../examples/${file})**`);
		expect(gallery).toContain(`(images/examples/${file.replace('.json', '.png')})`);
	}
});

test('no two have the same id, which n8n would import over one another', () => {
	const ids = files.flatMap((file) => [read(file).id, ...read(file).nodes.map(({ id }) => id)]);
	expect(new Set(ids).size).toBe(ids.length);
});

function spreadsheet() {
	const csv = readFileSync(join(folder, 'rental-agreements.csv'), 'utf8');
	return parse<Record<string, string>>(csv, { columns: true });
}

test('the spreadsheet has every column that expressions ask for, and rows that are hard to read', () => {
	const rows = spreadsheet();
	for (const file of ['fill-template-from-spreadsheet.json', 'signing-links-by-chat.json']) {
		const asked = [...JSON.stringify(read(file)).matchAll(/\$json\['([^']+)'\]/g)];
		expect(asked).not.toEqual([]);
		for (const [, column = ''] of asked) expect(rows[0]).toHaveProperty([column]);
	}

	expect(rows).toHaveLength(6);
	expect(new Set(rows.map((row) => row['External ID'])).size).toBe(6);
	for (const hard of [/,/, /"/, /[^\u0000-\u00ff]/]) {
		expect(rows.some((row) => Object.values(row).some((value) => hard.test(value)))).toBe(true);
	}
});

describe('nothing is left to be mapped', () => {
	const suite = useService({ seed: 'demo' });
	const { resourceMapping } = new Documenso().methods;

	/** What the columns of a template are called. */
	async function columnsOf({ id }: { id: string }): Promise<string[]> {
		const templateId = byId(id);
		const context = loadOptionsContext(credentialFor(suite.service), {
			resource: 'template',
			operation: 'createDocument',
			templateId,
		});
		const { fields } = await resourceMapping.getTemplateColumns.call(context);
		return fields.map((field) => field.id);
	}

	test('in the examples that fill a template in', () => {
		const nodes = files.flatMap((file) => read(file).nodes);
		// An agent's model fills in the columns itself.
		const filling = nodes.filter(
			({ type, parameters }) => parameters.templateId && !type.endsWith('Tool'),
		);
		expect(filling).toHaveLength(7);
		for (const { parameters } of filling) {
			expect(parameters).toMatchObject({ columns: { mappingMode: 'autoMapInputData' } });
		}
	});

	test('the spreadsheet has the columns of its template and an external ID', async () => {
		const [externalId, ...columns] = Object.keys(spreadsheet()[0] ?? {});
		expect(externalId).toBe('External ID');
		expect(await columnsOf(RENTAL_AGREEMENT)).toEqual(expect.arrayContaining(columns));
	});

	test('an agent fills in columns that its template has', async () => {
		const { nodes } = read('ai-agent-rental-agreements.json');
		const tool = nodes.find(({ parameters }) => parameters.templateId);
		const { value } = tool?.parameters.columns as { value: Record<string, string> };
		expect(await columnsOf(RENTAL_AGREEMENT)).toEqual(expect.arrayContaining(Object.keys(value)));
	});

	test.each([
		['nda-from-a-form.json', MUTUAL_NDA],
		['contract-then-onboarding.json', EMPLOYMENT_CONTRACT],
	])('the form of %s asks what its template has to be filled in with', async (file, template) => {
		const form = read(file).nodes.find(({ parameters }) => parameters.formFields);
		const { values } = form?.parameters.formFields as { values: Array<{ fieldLabel: string }> };
		const labels = values.map(({ fieldLabel }) => fieldLabel);
		expect(await columnsOf(template)).toEqual(expect.arrayContaining(labels));
	});
});

describe('who has not signed', () => {
	const { nodes } = read('remind-then-tell-the-owner.json');
	const noTypes: Partial<INodeTypes> = { getByNameAndVersion: () => undefined as never };
	const nodeTypes = noTypes as INodeTypes;
	const { expression } = new Workflow({ nodes, connections: {}, active: false, nodeTypes });

	/** Whether this If or Filter lets a recipient through. */
	function passes(name: string, json: IDataObject): boolean {
		const conditions = nodes.find((node) => node.name === name)?.parameters.conditions ?? '';
		const items = [{ json }];
		const value = expression.getParameterValue(conditions, null, 0, 0, name, items, 'manual', {});
		return executeFilter(value as unknown as FilterValue);
	}

	const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

	test('is reminded every three days by a workflow that runs every day', () => {
		const isReminded = (lastRemindedAt: string | null) =>
			passes('Not reminded for three days', { lastRemindedAt, waitingSince: daysAgo(9) });
		expect([null, daysAgo(3), daysAgo(2), daysAgo(1)].map(isReminded)).toEqual([
			...[true, true, false, false],
		]);
	});

	test('is left to the owner from the tenth day', () => {
		const isOwners = (waitingDays: number) => passes('Ten days or more?', { waitingDays });
		expect([3, 9, 10, 20].map(isOwners)).toEqual([false, false, true, true]);
	});
});
