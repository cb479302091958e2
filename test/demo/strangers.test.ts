import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeTypes,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

interface Example {
	nodes: INode[];
	connections: IConnections;
}

const folder = join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

function read(file: string): Example {
	return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Example;
}

/** What a stranger could write into a name, a title or an answer. */
const attack = [
	'<!channel> <https://evil.example/x|Documenso: open the contract> & &lt;',
	'!![](https://evil.example/seen) [open](https://evil.example/x)\u2028"',
	'```',
	`Rent: 1250${' '.repeat(40)}Deposit: 0\u202e`,
].join('\n');
const long = attack + ' and so on'.repeat(1000);

type Markup = 'slack' | 'markdown' | 'html';

/** The texts in which a type of node shows markup to people. */
const texts: Record<string, (parameters: INodeParameters) => [Markup, unknown[]]> = {
	httpRequest: ({ bodyParameters, jsonBody }) => {
		const { parameters = [] } = (bodyParameters ?? {}) as { parameters?: IDataObject[] };
		return ['slack', [jsonBody, parameters.find(({ name }) => name === 'text')?.value]];
	},
	slack: ({ text, options }) => [
		'slack',
		[text, (options as IDataObject | undefined)?.initialComment],
	],
	gmail: ({ emailType, message }) => ['html', emailType === 'text' ? [] : [message]],
	chat: ({ message }) => ['markdown', [message]],
	chatHitlTool: ({ message }) => ['markdown', [message]],
	form: ({ completionTitle, completionMessage, responseText }) => {
		return ['html', [completionTitle, completionMessage, responseText]];
	},
	wait: ({ formTitle, formDescription }) => ['html', [formTitle, formDescription]],
};

const withoutMarkup =
	`agent chatTrigger code dataTable documenso documensoTool documensoTrigger extractFromFile filter
	formTrigger googleDrive googleSheets if lmChatOpenAi manualTrigger memoryBufferWindow readWriteFile removeDuplicates
	scheduleTrigger splitOut stickyNote`.split(/\s+/);

const kindOf = ({ type }: INode) => type.replace(/^.*\./, '');

/** Stands for whatever an item may hold: this text, a list of one, and an object whose properties are such, too. */
function hostile(text: string, values: Record<string, unknown>): object {
	const known = new Map<string | symbol, unknown>();
	const find = (property: string | symbol): unknown => {
		if ([Symbol.toPrimitive, 'toString', 'toJSON'].includes(property)) return () => text;
		if (property in values) return values[property as string];
		for (const being of [new String(text), [hostile(text, values)]]) {
			const found: unknown = Reflect.get(being, property);
			if (found !== undefined) return typeof found === 'function' ? found.bind(being) : found;
		}
		return typeof property === 'symbol' ? undefined : hostile(text, values);
	};
	const get = (_: object, property: string | symbol) => {
		if (!known.has(property)) known.set(property, find(property));
		return known.get(property);
	};
	return new Proxy({}, { get });
}

/** What no stranger writes. */
const own = { role: 'SIGNER', url: 'https://documenso.example.com/documents/1?a=1&b=2' };

/** What leads into the branches of an expression: each value that it compares with, and each that may be missing. */
function branches(expression: string): Array<Record<string, unknown>> {
	const compared = [...expression.matchAll(/(\w+) [!=]== '([^']*)'/g)];
	const missing = [...expression.matchAll(/(\w+) (?:\|\||\?\??) /g)];
	return [
		own,
		...compared.map(([, name = '', value]) => ({ ...own, [name]: value })),
		...missing.map(([, name = '']) => ({ ...own, [name]: undefined })),
	];
}

/** What n8n makes of an expression in a node if all that comes into the workflow is this text. */
function evaluated(
	{ nodes, connections }: Example,
	node: INode,
	expression: string,
	{ text, values }: { text: string; values: Record<string, unknown> },
): string {
	const nodeTypes = { getByNameAndVersion: () => undefined } as unknown as INodeTypes;
	const workflow = new Workflow({ nodes, connections, active: false, nodeTypes });
	const json = hostile(text, values) as IDataObject;
	const items: INodeExecutionData[] = [{ json, pairedItem: { item: 0 } }];
	const sourceOf = (name: string) =>
		Object.entries(connections)
			.filter(([, { main }]) => main?.flat().some((target) => target?.node === name))
			.map(([previousNode]) => ({ previousNode }));
	const runOf = ({ name }: INode) => ({
		...{ startTime: 0, executionTime: 0, executionIndex: 0, source: sourceOf(name) },
		data: { main: [items, items] },
	});
	const runData = Object.fromEntries(nodes.map((one) => [one.name, [runOf(one)]]));
	return workflow.expression.getParameterValue(
		expression,
		createRunExecutionData({ resultData: { runData } }),
		...([0, 0, node.name, items, 'manual'] as const),
		{
			$execution: { resumeFormUrl: 'https://n8n.example.com/form-waiting/1' } as never,
			$tool: { name: 'Tool', parameters: { Rent: 1250, [text]: text } as never },
		},
		{ node, data: { main: [items] }, source: { main: sourceOf(node.name) } },
	) as string;
}

const shown = files.flatMap((file) => {
	const example = read(file);
	return example.nodes.flatMap((node) => {
		const [markup, all] = texts[kindOf(node)]?.(node.parameters) ?? ['html', []];
		const expressions = all.filter((one) => typeof one === 'string' && one.startsWith('='));
		return (expressions as string[]).map((expression) => ({
			...{ file, name: node.name, markup, expression },
			isApproval: kindOf(node).endsWith('HitlTool') || expression.includes('$execution.resume'),
			/** The text in each branch. */
			textsWith: (text: string) =>
				branches(expression).map((values) =>
					evaluated(example, node, expression, { text, values }),
				),
		}));
	});
});

/** Letters that nobody sees, and more blanks than one. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2800]|\S\s{2,}/u;

const withMarkup = (...kinds: Markup[]) => shown.filter(({ markup }) => kinds.includes(markup));

test('it is known which nodes show texts as markup', () => {
	const kinds = files.flatMap((file) => read(file).nodes.map(kindOf));
	expect([...Object.keys(texts), ...withoutMarkup]).toEqual(expect.arrayContaining(kinds));
});

test.each(withMarkup('slack', 'html'))(
	'$file: what a stranger wrote is no markup in "$name"',
	({ textsWith }) => {
		for (const text of textsWith(attack)) {
			expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/);
			expect(text).toContain('&lt;!channel&gt;');
			expect(text).not.toMatch(/undefined|null|\[object/);
		}
	},
);

test('each Slack message is escaped in the way that docs/examples.md shows', () => {
	const docs = readFileSync(join(folder, '..', 'docs', 'examples.md'), 'utf8');
	const [, end = ''] = /`(\.replaceAll\(.+\))`/.exec(docs) ?? [];
	expect(end).not.toBe('');
	for (const { expression } of withMarkup('slack')) expect(expression).toContain(`${end} }}`);
});

test.each(withMarkup('markdown'))(
	'$file: what a stranger or a model wrote loads no image in "$name"',
	({ textsWith, isApproval }) => {
		for (const text of textsWith(attack)) {
			const outside = text.replace(/^```\n[^]*?\n```$/m, '');
			expect(outside).not.toContain('![');
			if (isApproval) expect(outside).not.toContain('evil');
		}
	},
);

describe.each(shown.filter(({ isApproval }) => isApproval))(
	'$file: whoever decides about "$name"',
	({ textsWith }) => {
		const linesWith = (text: string) => textsWith(text).map((one) => one.split('\n'));

		test('sees each value in its own line', () => {
			const numbers = (all: string[][]) => all.map(({ length }) => length);
			expect(numbers(linesWith(attack))).toEqual(numbers(linesWith('Nora')));
			for (const text of textsWith(attack)) expect(text).toContain('open the contract');
		});

		test('sees what would be invisible', () => {
			for (const line of linesWith(attack).flat()) {
				expect(line).not.toMatch(UNSEEN);
			}
			for (const text of textsWith('Nora\u202e')) expect(text).toContain('Nora%E2%80%AE');
			for (const letter of ['\u3164', '\u2800', '\u115f', '\u034f', '\ufe0f', '\u17b4']) {
				const padded = textsWith(`Nora${letter.repeat(80)}"Rent": "900"`);
				for (const text of padded) expect(text).toContain(`Nora${encodeURIComponent(letter)}%`);
			}
		});

		test('sees that a long value is cut', () => {
			for (const lines of linesWith(long)) {
				expect(lines.join('\n')).toContain('… (cut)');
				expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(700);
			}
		});
	},
);

test('Google Sheets runs no formula that a stranger wrote', () => {
	const sheets = files.flatMap((file) =>
		read(file).nodes.filter((node) => kindOf(node) === 'googleSheets'),
	);
	const writing = sheets.filter(({ parameters }) => parameters.operation !== 'read');
	expect(writing).not.toEqual([]);
	for (const { parameters } of writing) {
		expect(parameters).toMatchObject({ options: { cellFormat: 'RAW' } });
	}
});
