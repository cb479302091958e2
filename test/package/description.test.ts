import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NodeHelpers } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import type { Resource } from '../../nodes/Documenso/engine/resource';
import { resources } from '../../nodes/Documenso/resources';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { happyPaths } from '../support/happyPaths';
import { inputOf, localStage } from '../support/localStage';
import { operations } from '../support/operations';
import { schemaOf } from '../support/schema';
import { useService } from '../support/suite';

const node = new Documenso();
const trigger = new DocumensoTrigger();
const pollingTrigger = new DocumensoPollingTrigger();

/** Every property and whatever is nested in it. */
function deep(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const inner = (property.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		return [property, ...deep(inner)];
	});
}

test('the operations that workflows are saved with are these', () => {
	const current = operations.filter(({ resource }) => resource !== 'templateDeprecated');
	expect(current.map(({ id }) => id).sort()).toEqual([
		'attachment.create',
		'attachment.delete',
		'attachment.getAll',
		'attachment.update',
		'directLink.create',
		'directLink.delete',
		'directLink.disable',
		'directLink.enable',
		'document.archive',
		'document.cancel',
		'document.create',
		'document.createAndSend',
		'document.createUntilSigned',
		'document.delete',
		'document.download',
		'document.duplicate',
		'document.get',
		'document.getAll',
		'document.getAuditLog',
		'document.getByIds',
		'document.resend',
		'document.send',
		'document.sendUntilSigned',
		'document.update',
		'embedToken.create',
		'embedToken.verify',
		'field.add',
		'field.delete',
		'field.get',
		'field.move',
		'field.update',
		'file.add',
		'file.delete',
		'file.download',
		'file.update',
		'folder.create',
		'folder.delete',
		'folder.getAll',
		'folder.moveEnvelope',
		'folder.update',
		'recipient.add',
		'recipient.delete',
		'recipient.get',
		'recipient.getAll',
		'recipient.getSigningLink',
		'recipient.rejectOnBehalf',
		'recipient.update',
		'template.checkDocuments',
		'template.create',
		'template.createDocument',
		'template.createDocumentUntilSigned',
		'template.delete',
		'template.duplicate',
		'template.get',
		'template.getAll',
		'template.previewDocument',
		'template.update',
	]);
});

test('the events that workflows are saved with are these', () => {
	const { options } = trigger.description.properties.find(({ name }) => name === 'events') ?? {};
	expect((options as INodePropertyOptions[]).map(({ value }) => value)).toEqual([
		'*',
		'DOCUMENT_CANCELLED',
		'DOCUMENT_COMPLETED',
		'DOCUMENT_CREATED',
		'DOCUMENT_OPENED',
		'DOCUMENT_RECIPIENT_COMPLETED',
		'DOCUMENT_REJECTED',
		'DOCUMENT_REMINDER_SENT',
		'DOCUMENT_SENT',
		'DOCUMENT_SIGNED',
		'RECIPIENT_EXPIRED',
		'TEMPLATE_CREATED',
		'TEMPLATE_DELETED',
		'TEMPLATE_UPDATED',
		'TEMPLATE_USED',
	]);
});

test('the events that polls report are called as those that are delivered', () => {
	const [polled, delivered] = [pollingTrigger, trigger].map(
		({ description }) => description.properties.find(({ name }) => name === 'events')?.options,
	) as INodePropertyOptions[][];
	const values = polled?.map(({ value }) => value) ?? [];
	expect(values).toEqual([
		'DOCUMENT_CANCELLED',
		'DOCUMENT_COMPLETED',
		'DOCUMENT_CREATED',
		'DOCUMENT_OPENED',
		'DOCUMENT_RECIPIENT_COMPLETED',
		'DOCUMENT_REJECTED',
		'DOCUMENT_SENT',
		'DOCUMENT_SIGNED',
		'RECIPIENT_EXPIRED',
	]);
	expect(delivered?.map(({ value }) => value)).toEqual(expect.arrayContaining(values));
});

test('every text box shows an example', () => {
	const boxes = [node, trigger, pollingTrigger]
		.flatMap(({ description }) => deep(description.properties))
		.filter(({ type }) => type === 'string');
	expect(boxes.length).toBeGreaterThan(50);
	expect(boxes.filter(({ placeholder }) => !placeholder).map((one) => one.displayName)).toEqual([]);
});

test('the editor lists first what people do most', () => {
	const actions = operations.map(({ operation }) => operation.action);
	const firstOf = (value: string) =>
		resources.find((resource) => resource.value === value)?.operations[0]?.action;
	expect(actions.indexOf('Create a document from a template')).toBeLessThan(20);
	expect([firstOf('document'), firstOf('template'), firstOf('recipient')]).toEqual([
		'Create and send a document',
		'Create a document from a template',
		'Get recipients who have not signed',
	]);
});

test('the panels that email people say so before anything is executed', () => {
	const texts = ({ displayName, hint = '' }: INodeProperties) => displayName + hint;
	const says = (text: string) =>
		operations
			.filter(({ operation }) => operation.properties.some((one) => texts(one).includes(text)))
			.map(({ id }) => id)
			.sort();
	const canBeRedirected = [
		...['document.createAndSend', 'document.createUntilSigned', 'document.send'],
		...[
			'document.sendUntilSigned',
			'template.createDocument',
			'template.createDocumentUntilSigned',
		],
		'templateDeprecated.createDocument',
	];
	expect(says('In Manual Executions, Send To')).toEqual(canBeRedirected);
	expect(says('Execute step emails')).toEqual(
		[
			...canBeRedirected,
			...['document.cancel', 'document.delete', 'document.resend'],
			...['recipient.delete', 'recipient.rejectOnBehalf'],
		].sort(),
	);
});

test.each(operations)('$id has at most one yellow box', ({ operation }) => {
	const boxes = operation.properties.filter(({ type }) => type === 'notice');
	expect(boxes.length).toBeLessThan(2);
});

/** What n8n fills in for a node with nothing but a resource. */
function chosenFor(resource: string, type: 'documenso' | 'documensoTool') {
	const { properties } = node.description;
	const description = { ...node.description, name: type };
	const stored = { ...({ typeVersion: 1 } as INode), type };
	return NodeHelpers.getNodeParameters(properties, { resource }, true, false, stored, description)
		?.operation;
}

test.each(resources)(
	'a new tool for $name reads, and a new node does what people do most',
	(one) => {
		const ofTool = one.defaultOfTool ?? one.default;
		expect(chosenFor(one.value, 'documenso')).toBe(one.default);
		expect(chosenFor(one.value, 'documensoTool')).toBe(ofTool);
		// A direct link has nothing to read.
		if (one.value !== 'directLink') expect(ofTool).toMatch(/^(get|download|verify)/);
	},
);

test('the operation chosen first exists', () => {
	for (const resource of resources) {
		expect(resource.operations.map(({ value }) => value)).toContain(resource.default);
	}
});

test.each(resources)('the resource $name says in the editor what it is', ({ description }) => {
	expect(description).toMatch(/^[A-Z].*[^.]$/);
});

test.each(operations)('$id says in the editor what it does', ({ operation }) => {
	expect(operation.value).toMatch(/^[a-z][a-zA-Z]*$/);
	expect(operation.action).toMatch(/^[A-Z][a-z]+( [a-z]+)+( IDs)?$/);
	expect(operation.description).toMatch(/^[A-Z].*[^.]$/);
	expect(operation.description).not.toBe(operation.action);
});

test.each(operations)('$id names each of its parameters once', ({ operation }) => {
	const places = operation.properties.map(
		({ name, displayOptions }) => `${name} ${JSON.stringify(displayOptions)}`,
	);
	expect(new Set(places).size).toBe(places.length);
});

test.each(operations)('$id leaves its place in the editor to the engine', ({ operation }) => {
	for (const { displayOptions } of deep(operation.properties)) {
		expect(Object.keys(displayOptions?.show ?? {})).not.toContain('operation');
		expect(Object.keys(displayOptions?.show ?? {})).not.toContain('resource');
	}
});

/** n8n does not store a value that is the default, so a workflow in which nothing was entered would run with it. */
test('no number of a document, a template or a part of one is a default', () => {
	const named = operations.flatMap(({ operation }) => deep(operation.properties));
	const ids = named.filter(({ name, required }) => required || /(Id|Number)$/.test(name));
	expect(ids.filter((one) => typeof one.default === 'number')).toEqual([]);
});

test('the same parameter is of the same type wherever it is used', () => {
	const types = new Map<string, Set<string>>();
	for (const { operation } of operations) {
		for (const { name, type } of operation.properties) {
			types.set(name, (types.get(name) ?? new Set()).add(type));
		}
	}
	const mixed = [...types].filter(([, used]) => used.size > 1).map(([name]) => name);
	expect(mixed).toEqual([]);
});

test.each<[string, INodeType]>([
	['the action node', node],
	['the trigger', trigger],
	['the polling trigger', pollingTrigger],
])(
	'every picker, list of options, mapper and credential of %s has its method',
	(_, { description, methods }) => {
		const wanted = deep(description.properties).flatMap(({ modes, typeOptions }) => [
			...(modes ?? []).map((mode) => mode.typeOptions?.searchListMethod),
			typeOptions?.loadOptionsMethod,
			typeOptions?.resourceMapper?.resourceMapperMethod,
		]);
		const tests = description.credentials?.map(({ testedBy }) => testedBy) ?? [];
		const named = new Set([...wanted, ...tests].filter((method) => method !== undefined));
		expect([...named].sort()).toEqual(
			Object.values(methods ?? {})
				.flatMap(Object.keys)
				.sort(),
		);
	},
);

test('n8n asks the user how often the polling trigger is to poll', () => {
	expect(pollingTrigger.description).toMatchObject({ polling: true, group: ['trigger'] });
});

test('the action node is a tool for AI agents, the triggers are not', () => {
	expect(node.description.usableAsTool).toBe(true);
	expect(trigger.description.usableAsTool).toBeUndefined();
	expect(pollingTrigger.description.usableAsTool).toBeUndefined();
});

/** n8n starts a sandbox to evaluate one, for each delivery; older than version 2 it evaluates one of its own. */
test('n8n has no expression to evaluate before it asks the trigger', () => {
	const { webhooks = [], version } = trigger.description;
	const values = webhooks.flatMap((webhook) => Object.values(webhook) as unknown[]);
	expect(values.filter((value) => String(value).startsWith('='))).toEqual([]);
	expect(Math.max(...[version].flat())).toBeGreaterThan(1);
});

describe('the interface of saved workflows', () => {
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
});

// UPDATE=1 writes the tables and previews that these tests otherwise compare.
const isUpdate = process.env.UPDATE !== undefined;
const root = join(__dirname, '..', '..');
const previews = join(root, 'nodes', 'Documenso', '__schema__', 'v1.0.0');
const deprecated = resources.filter(({ value }) => value === 'templateDeprecated');
const current = resources.filter((resource) => !deprecated.includes(resource));

const suite = useService({ seed: 'demo' });
const stage = localStage(suite);

/** The endpoints to which each operation sends requests, such as `GET /envelope/{envelopeId}`, by its ID. */
const endpoints = new Map<string, Set<string>>();

/** The deprecated resource may be taken out of the registry, and its tests stay behind for a while. */
function isThere(id: string): boolean {
	const isDeprecated = id.startsWith('templateDeprecated.');
	return !isDeprecated || resources.some(({ value }) => value === 'templateDeprecated');
}

test('every operation has a happy path, and every happy path an operation', () => {
	expect(Object.keys(happyPaths).filter(isThere).sort()).toEqual(
		operations.map(({ id }) => id).sort(),
	);
});

/** Operations that return signing links though the output is simplified. */
const RETURN_LINKS = ['recipient.getSigningLink'];

function hasSigningToken(outputs: IDataObject[]): boolean {
	const text = JSON.stringify(outputs);
	const recipients = [...suite.service.store.envelopes.values()].flatMap((one) => one.recipients);
	return recipients.some(({ token }) => text.includes(token));
}

test.each(operations)(
	'$id returns what the editor shows before it has run, and signing links only if it is for that',
	async (one) => {
		const { others, ...input } = await inputOf(one, stage);
		const sent = new Set<string>();
		const outputs: IDataObject[][] = [];
		const links: boolean[] = [];
		for (const { parameters, items } of [input, ...others]) {
			// The preparation, too, makes calls.
			suite.service.calls.length = 0;
			const output = await suite.outputOf(parameters, items);
			for (const endpoint of Object.keys(suite.service.counts().calls)) sent.add(endpoint);
			outputs.push(output);
			links.push(hasSigningToken(output));
		}
		expect(sent.size).toBeGreaterThan(0);
		endpoints.set(one.id, sent);
		expect(links[0]).toBe(RETURN_LINKS.includes(one.id));
		const file = join(previews, one.resource, `${one.operation.value}.json`);
		const preview = { ...schemaOf(outputs[0] ?? []), version: 1 };
		// The editor would show that there is nothing.
		expect(JSON.stringify(preview)).not.toContain('"null"');
		if (isUpdate) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `${JSON.stringify(preview, undefined, '\t')}\n`);
		}
		expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(preview);
	},
);

test('there is no preview of an operation that does not exist', () => {
	const files = readdirSync(previews, { recursive: true, encoding: 'utf8' });
	const ids = files
		.filter((name) => name.endsWith('.json'))
		.map((name) => name.replace('/', '.').replace(/\.json$/, ''));
	expect(ids.filter(isThere).sort()).toEqual(operations.map(({ id }) => id).sort());
});

function endpointsOf(id: string): string {
	const named = [...(endpoints.get(id) ?? [])].map((one) => one.replace(/:(\w+)/g, '{$1}'));
	return named.map((one) => `\`${one}\``).join('<br>');
}

function table(head: string[], rows: string[][]): string {
	const rule = head.map(() => '---');
	return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** For users: what an operation does, and what it returns. */
function tableOf(listed: Resource[]): string {
	const rows = listed.flatMap((resource) =>
		resource.operations.map(({ name, description, returns }, index) => [
			index === 0 ? `**${resource.name}**` : '',
			name,
			description,
			returns,
		]),
	);
	return table(['resource', 'operation', 'what it does', 'what it returns'], rows);
}

/** For developers. */
function tableOfEndpoints(): string {
	const rows = resources.flatMap((resource) =>
		resource.operations.map(({ name, value }) => [
			`${resource.name}: ${name}`,
			endpointsOf(`${resource.value}.${value}`),
		]),
	);
	return table(['operation', 'endpoints'], rows);
}

/** What stands between the two comments that mark a generated part of a page. */
function part(page: string, name: string) {
	const text = readFileSync(join(root, page), 'utf8');
	const marker = `<!-- ${name}: generated, see CONTRIBUTING.md -->`;
	const start = text.indexOf(marker) + marker.length;
	const end = text.indexOf(`<!-- end of ${name} -->`);
	expect(start).toBeGreaterThan(marker.length);
	return {
		before: text.slice(0, start),
		text: text.slice(start, end).trim(),
		after: text.slice(end),
	};
}

function check(page: string, name: string, wanted: string) {
	const { before, text, after } = part(page, name);
	if (isUpdate) writeFileSync(join(root, page), `${before}\n\n${wanted}\n\n${after}`);
	else expect(text).toBe(wanted);
}

test('docs/operations.md lists every operation as the node describes it', () => {
	check('docs/operations.md', 'operations', tableOf(current));
});

test('docs/operations.md lists the deprecated operations as long as they are there', () => {
	const name = 'deprecated operations';
	if (deprecated.length > 0) check('docs/operations.md', name, tableOf(deprecated));
	expect(part('docs/operations.md', name).before).toContain('1 March 2027');
});

test('docs/documenso-api.md lists the endpoints that each operation calls', () => {
	check('docs/documenso-api.md', 'endpoints', tableOfEndpoints());
});

test('the README lists the operations on documents, templates and recipients, and the changelog counts all', () => {
	const readme = readFileSync(join(root, 'README.md'), 'utf8').replace(/\s+/g, ' ');
	for (const { name, operations: its } of current) {
		if (!['Document', 'Template', 'Recipient'].includes(name)) continue;
		const [, listed = ''] = new RegExp(`- \\*\\*${name}\\*\\*: ([^*]*?) - `).exec(readme) ?? [];
		expect(listed.split(' · ').sort()).toEqual(its.map((one) => one.name).sort());
	}
	const count = current.flatMap((one) => one.operations).length;
	expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`${count} operations`);
});
