import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';

/**
 * What workflows and credentials are saved with, a parameter a line, and those inside it below it: a change here is
 * one that breaks them, or that adds something. Texts and the order in the editor are left out. UPDATE=1 writes it.
 */
const file = join(__dirname, 'interface.json');

interface Parameter {
	/** With the names of what it is inside. */
	name: string;
	/** The operations, or resources, that have it: `document.send`. */
	of?: string[];
	[fact: string]: unknown;
}

const sorted = (values: unknown[]) => values.map(String).sort();

/** When it is shown, apart from what `of` tells. */
function conditions({ displayOptions = {} }: INodeProperties) {
	const rules = Object.entries(displayOptions).flatMap(([kind, names]) =>
		Object.entries(names as Record<string, unknown[]>)
			.filter(([name]) => name !== 'resource' && name !== 'operation')
			.map(([name, values]) => `${kind} ${name}: ${JSON.stringify([...values].sort())}`),
	);
	return rules.length > 0 ? rules.sort() : undefined;
}

/** How a picker is filled in, what is taken out of that, and what is accepted. */
function modesOf({ modes }: INodeProperties) {
	const all = modes?.map(({ name, extractValue, validation = [] }) => {
		const taken = extractValue && 'regex' in extractValue ? String(extractValue.regex) : '';
		const valid = validation.map((rule) => {
			return 'properties' in rule ? String((rule.properties as { regex?: string }).regex) : '';
		});
		return [name, taken, ...valid].filter(Boolean).join(' ');
	});
	return all?.sort();
}

const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;
const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;

function parametersIn(properties: INodeProperties[], place = ''): Parameter[] {
	const stored = properties.filter(({ type }) => type !== 'notice');
	return stored.flatMap((property) => {
		const { type, required, noDataExpression, typeOptions, options = [] } = property;
		const { resource = [''], operation = [''] } = property.displayOptions?.show ?? {};
		const of = sorted(resource).flatMap((one) =>
			sorted(operation).map((two) => [one, two].filter(Boolean).join('.')),
		);
		const name = place + property.name;
		const values = options.filter(isChoice).map(({ value }) => value);
		const itself = {
			name,
			of: of.filter(Boolean),
			type,
			default: property.default,
			required: required || undefined,
			noDataExpression,
			conditions: conditions(property),
			values: values.length > 0 ? sorted(values) : undefined,
			modes: modesOf(property),
			multipleValues: typeOptions?.multipleValues,
			mapping: typeOptions?.resourceMapper?.mode,
			password: typeOptions?.password,
		};
		const inside = options.flatMap((option) => {
			if (isGroup(option)) return parametersIn(option.values, `${name}.${option.name}.`);
			return isChoice(option) ? [] : parametersIn([option], `${name}.`);
		});
		return [itself, ...inside.map((one) => ({ ...one, of: itself.of }))];
	});
}

/** The same parameter of several operations is one. */
function merged(parameters: Parameter[]): string[] {
	const all = new Map<string, { name: string; of: string[] }>();
	for (const { name, of = [], ...facts } of parameters) {
		const key = JSON.stringify({ name, ...facts });
		all.set(key, { name, of: [...(all.get(key)?.of ?? []), ...of] });
	}
	const lines = [...all].map(([key, { of }]) => {
		const line = { ...(JSON.parse(key) as object), of: of.length > 0 ? sorted(of) : undefined };
		return JSON.stringify(line);
	});
	return lines.sort();
}

function current(): string {
	const nodes = [new Documenso(), new DocumensoTrigger(), new DocumensoPollingTrigger()];
	const described = nodes.map(({ description }) => {
		const { name, version, credentials, inputs, outputs, usableAsTool, polling } = description;
		const webhooks = description.webhooks?.map(({ name: webhook, httpMethod, path }) => ({
			name: webhook,
			httpMethod,
			path,
		}));
		const node = { version, credentials, inputs, outputs, usableAsTool, polling, webhooks };
		return [name, JSON.stringify(node), ...merged(parametersIn(description.properties))];
	});
	const { name, properties } = new DocumensoApi();
	const all = [...described, [name, ...merged(parametersIn(properties))]].map(
		([title, ...lines]) => `"${title}": [\n${lines.join(',\n')}\n]`,
	);
	return `{\n${all.join(',\n')}\n}\n`;
}

/** What each parameter means in each operation, apart from the values that can be chosen, and these. */
function meaningsIn(text: string): Array<{ meaning: string; values: string[] }> {
	const saved = JSON.parse(text) as Record<string, Parameter[]>;
	return Object.entries(saved).flatMap(([node, parameters]) =>
		parameters.flatMap(({ of = [''], values = [], ...facts }) =>
			of.map((operation) => ({
				meaning: [node, operation, JSON.stringify(facts)].filter(Boolean).join(' '),
				values: values as string[],
			})),
		),
	);
}

/** What saved workflows may contain and the nodes do not have any more. */
function lostSince(saved: string): string[] {
	const now = meaningsIn(current());
	return meaningsIn(saved)
		.filter(
			({ meaning, values }) =>
				!now.some(
					(one) => one.meaning === meaning && values.every((value) => one.values.includes(value)),
				),
		)
		.map(({ meaning }) => meaning);
}

test('saved workflows and credentials mean what they meant', () => {
	const { UPDATE } = process.env;
	const before = readFileSync(file, 'utf8');
	// A new parameter or value breaks nothing. What is lost or means something else has to be meant: UPDATE=all writes that.
	if (UPDATE === '1') expect(lostSince(before)).toEqual([]);
	if (UPDATE !== undefined) writeFileSync(file, current());
	const saved = readFileSync(file, 'utf8');
	expect(JSON.parse(saved)).toBeDefined();
	expect(current().split('\n')).toEqual(saved.split('\n'));
});
