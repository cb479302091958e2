import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import {
	createRunExecutionData,
	executeFilter,
	type FilterValue,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
	type INodeTypes,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';
import { EMPLOYMENT_CONTRACT, MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor } from '../support/service';
import { byId, useService } from '../support/suite';

describe('npm start', () => {
	const start = join(__dirname, '..', '..', 'demo', 'start.mjs');

	function startDemo(...args: string[]) {
		const { status, stderr } = spawnSync(process.execPath, [start, ...args], { encoding: 'utf8' });
		return { status, stderr: stderr.trim() };
	}

	test('a port that another program holds ends the demo with one sentence that says how to change it', async () => {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		// With --once, the other ports are free ones, whatever else runs on this computer.
		const { status, stderr } = startDemo('--once', '--inbox-port', String(port));
		server.close();

		expect(status).toBe(1);
		expect(stderr).toBe(
			`Port ${port} (inbox) is taken by another program; choose another one with: npm start -- --inbox-port <port>`,
		);
	});

	test('a port cannot be given to two programs', () => {
		const { status, stderr } = startDemo('--n8n-port', '45871', '--documenso-port', '45871');
		expect(status).toBe(1);
		expect(stderr).toBe(
			'Port 45871 is set for both n8n and documenso; choose another one for documenso.',
		);
	});

	test.each(['0', '65536', '5678x', ''])('"%s" is no port', (text) => {
		const { status, stderr } = startDemo(`--n8n-port=${text}`);
		expect(status).toBe(1);
		expect(stderr).toBe(`--n8n-port must be a number from 1 to 65535, not "${text}".`);
	});

	test('an unknown flag is answered with those that exist', () => {
		const { status, stderr } = startDemo('--twice');
		expect(status).toBe(1);
		expect(stderr).toContain("Unknown option '--twice'");
		expect(stderr).toContain('npm start -- --once');
	});
});

describe('a second demo', () => {
	const lockModule = pathToFileURL(join(__dirname, '..', '..', 'demo', 'lock.mjs')).href;
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'lock-'));
	});

	afterEach(() => {
		rmSync(folder, { recursive: true });
	});

	/** The arguments of a demo that locks the folder, and then does something. */
	function demo(then = '') {
		const source = `import { lock } from '${lockModule}'; await lock(${JSON.stringify(folder)}); ${then}`;
		return ['--input-type=module', '-e', source];
	}

	/** A demo that has locked the folder and runs until it is killed. */
	async function runningDemo() {
		const child = spawn(
			process.execPath,
			demo('console.log("locked"); setInterval(() => {}, 1000);'),
		);
		await new Promise((resolve) => child.stdout.once('data', resolve));
		const ended = new Promise((resolve) => child.once('exit', resolve));
		return {
			pid: child.pid,
			kill: async () => {
				child.kill('SIGKILL');
				await ended;
			},
		};
	}

	function startBeside() {
		return spawnSync(process.execPath, demo(), { encoding: 'utf8' });
	}

	test('a demo beside a running one is refused, and told what to do', async () => {
		const first = await runningDemo();
		const { status, stderr } = startBeside();
		await first.kill();
		expect(status).toBe(1);
		expect(stderr).toContain(`The demo is running already (process ${first.pid}).`);
		expect(stderr).toContain('Stop it with Ctrl-C in its terminal first.');
		expect(existsSync(join(folder, 'running'))).toBe(true);
	});

	test('a demo that was killed keeps no other one out', async () => {
		await (await runningDemo()).kill();
		expect(startBeside().status).toBe(0);
	});

	test('a demo that has ended keeps no other one out', () => {
		expect(startBeside().status).toBe(0);
		expect(existsSync(join(folder, 'running'))).toBe(false);
		expect(startBeside().status).toBe(0);
	});
});

describe('the inbox', () => {
	/** What the inbox's page shows for a message. */
	function shown(text: string): string {
		const module = pathToFileURL(join(__dirname, '..', '..', 'demo', 'inbox.mjs')).href;
		const source = `import { startInbox } from '${module}';
		const inbox = await startInbox({ port: 0 });
		const body = ${JSON.stringify(JSON.stringify({ text }))};
		await fetch(inbox.webhookUrl, { method: 'POST', body });
		console.log(await (await fetch(inbox.url)).text());
		inbox.stop();`;
		const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
			encoding: 'utf8',
		});
		return /<article>.*<p>(.*)<\/p><\/article>/.exec(stdout)?.[1] ?? '';
	}

	test.each([
		['*Novak &amp; Sons* &lt;!channel&gt;', '<b>Novak &amp; Sons</b> &lt;!channel&gt;'],
		['&amp;lt;b&amp;gt;', '&amp;lt;b&amp;gt;'],
		['<img src=x> & &quot; &#60;', '&#60;img src=x&#62; &#38; &#38;quot; &#38;#60;'],
	])('the inbox unescapes a message as Slack does, once, and shows no HTML: %s', (text, html) => {
		expect(shown(text)).toBe(html);
	});
});

describe('the notes of the examples', () => {
	interface Workflow {
		name: string;
		active: boolean;
		nodes: INode[];
	}

	const root = join(__dirname, '..', '..');

	/** What tells somebody to set up what the demo has set up. */
	const instruction =
		/\b(choose your|enter (the|who)|put `|publish this|copy the|add (it|the))|\*\*\d\.\*\*/i;

	function imported(): Workflow[] {
		const module = pathToFileURL(join(root, 'demo', 'examples.mjs')).href;
		const settings = {
			credential: { id: 'c', name: 'Local Documenso', type: 'documensoApi' },
			templates: { rentalAgreement: {}, mutualNda: {}, employmentContract: {} },
			signedDir: '/signed',
			slackUrl: 'http://127.0.0.1/slack',
			pages: { documenso: 'http://127.0.0.1:3000', inbox: 'http://127.0.0.1:3001' },
		};
		const source = `import { loadExamples } from '${module}';
		console.log(JSON.stringify(await loadExamples(${JSON.stringify(settings)})));`;
		const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
			encoding: 'utf8',
		});
		return JSON.parse(stdout) as Workflow[];
	}

	function notesOf({ nodes }: Workflow): string[] {
		return nodes
			.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
			.map(({ parameters }) => parameters.content as string);
	}

	const workflows = imported();

	test.each(workflows.map((workflow) => [workflow.name, workflow] as const))(
		'in the demo, the notes of "%s" say that it is ready, and ask for nothing that is done',
		(_name, workflow) => {
			const notes = notesOf(workflow);
			expect(notes.join('\n')).toContain('**Ready to run');
			for (const note of notes) expect(note).not.toMatch(instruction);
		},
	);

	test('in the demo, what the notes speak of is a click away', () => {
		const notes = workflows.flatMap(notesOf);
		expect(notes.filter((note) => note.includes('](http://127.0.0.1:3000')).length).toBeGreaterThan(
			3,
		);
		expect(
			notes.filter((note) => note.includes('](http://127.0.0.1:3001)')).length,
		).toBeGreaterThan(1);
		for (const note of notes) {
			expect(note).not.toMatch(/[{}]/);
			expect(note.replaceAll(/\[[^\]]+\]\([^)]+\)/g, '')).not.toMatch(/local Documenso|inbox/);
		}
	});

	test('in the demo, one published workflow announces a completed document, another one files it, and the others say that they are not published', () => {
		const hasTrigger = ({ nodes }: Workflow) =>
			nodes.some(({ type }) => type === 'n8n-nodes-documenso.documensoTrigger');
		const listeners = workflows.filter(hasTrigger);
		const [published, others] = [true, false].map((isPublished) =>
			listeners.filter(({ active }) => active === isPublished),
		);
		expect(published?.map(({ name }) => name)).toEqual([
			'Slack message when a document is completed',
			'Create, send and file the signed PDF',
		]);
		expect(others).toHaveLength(6);
		for (const workflow of others ?? []) {
			expect(notesOf(workflow).join('\n')).toContain('publish it to try it');
		}
	});

	test.each(['fill-template-from-spreadsheet', 'create-send-and-file', 'contract-then-onboarding'])(
		'examples/%s.json still says what to set up',
		(name) => {
			const file = readFileSync(join(root, 'examples', `${name}.json`), 'utf8');
			expect(notesOf(JSON.parse(file) as Workflow).join('\n')).toMatch(instruction);
		},
	);
});

describe('the examples', () => {
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
			expect(filling).toHaveLength(11);
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
});

describe('what strangers write', () => {
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
	formTrigger gmailTrigger googleDrive googleSheets if lmChatOpenAi manualTrigger memoryBufferWindow readWriteFile removeDuplicates
	scheduleTrigger set splitOut stickyNote`.split(/\s+/);

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
});
