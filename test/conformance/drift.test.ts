import { placeOf } from '../../conformance/drift/compare';
import { breaking, type Description, driftOf, partition } from '../../conformance/drift/drift';
import { type Known, readKnown, type Use } from '../../conformance/drift/ours';
import { type JsonSchema, propertiesOf } from '../../conformance/drift/properties';

describe('what drifts', () => {
	const text: JsonSchema = { type: 'string' };
	const number: JsonSchema = { type: 'number' };

	const object = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
		type: 'object',
		properties,
		required,
	});

	const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
	const sent = object({ name: text, size: { type: 'string', enum: ['S', 'M'] } }, 'name');

	const answered = object(
		{ id: text, parts: listOf(object({ page: number }, 'page')) },
		'id',
		'parts',
	);

	/** A service with one endpoint: its request and its answer. */
	function described(request: JsonSchema, answer: JsonSchema, path = '/thing/create'): Description {
		const requestBody = { content: { 'application/json': { schema: request } } };
		const responses = { 200: { content: { 'application/json': { schema: answer } } } };
		return { paths: { [path]: { post: { requestBody, responses } } } };
	}

	function known(): Known {
		const paths = [sent, answered].flatMap((schema) => [...propertiesOf(schema).keys()]);
		const use = { request: sent, read: answered, returned: answered };
		return { used: new Map([['POST /thing/create', use]]), places: new Set(paths.map(placeOf)) };
	}

	function drift(request: JsonSchema, answer: JsonSchema): string[] {
		return driftOf(described(request, answer), known()).map(({ kind, part, property, detail }) =>
			[kind, part, property, detail].filter(Boolean).join(' '),
		);
	}

	test('a service that describes what the nodes use has no drift', () => {
		expect(drift(sent, answered)).toEqual([]);
	});

	test.each<[string, JsonSchema, JsonSchema, string[]]>([
		['a property that is no longer taken', object({ name: text }), answered, ['gone request size']],
		[
			'another type',
			object({ name: number, size: text }, 'name'),
			answered,
			['changed request name is number, was string'],
		],
		[
			'a choice that is no longer taken, and another one',
			object({ name: text, size: { type: 'string', enum: ['S', 'L'] } }, 'name'),
			answered,
			['changed request size no longer takes M', 'new request size takes L'],
		],
		[
			'a property that has to be sent now',
			object({ name: text, size: text }, 'name', 'size'),
			answered,
			['changed request size is required now'],
		],
		[
			'a new property, with all that is in it',
			object({ name: text, size: text, colour: object({ red: number }) }, 'name'),
			answered,
			['new request colour'],
		],
		[
			'a new property that has to be sent',
			object({ name: text, size: text, colour: text }, 'name', 'colour'),
			answered,
			['changed request colour is new and required'],
		],
		[
			'a part of the answer that is missing',
			sent,
			object({ id: text }, 'id'),
			['gone response parts'],
		],
		[
			'a part of the answer that may be missing or null',
			sent,
			object(
				{ id: { ...text, nullable: true }, parts: listOf(object({ page: number })) },
				'id',
				'parts',
			),
			[
				'changed response id is string or null, was string',
				'changed response parts[].page may be missing now',
			],
		],
		[
			'more in the answer',
			sent,
			object(
				{ id: text, parts: listOf(object({ page: number, top: number }, 'page')) },
				'id',
				'parts',
			),
			['new response parts[].top'],
		],
	])('%s is listed', (_name, request, answer, expected) => {
		expect(drift(request, answer)).toEqual(expected);
	});

	test('what only one of several forms has is not required', () => {
		const forms = [
			object({ name: text, size: text }, 'name', 'size'),
			object({ name: text }, 'name'),
		];
		expect(drift({ anyOf: forms }, answered)).toEqual([]);
	});

	test('an endpoint that is gone is listed, and one that nobody knows', () => {
		const description = described(sent, answered, '/thing/make');
		expect(
			driftOf(description, known()).map(({ kind, endpoint }) => `${kind} ${endpoint}`),
		).toEqual(['gone POST /thing/create', 'new POST /thing/make']);
	});

	test('a parameter that all methods of a path need is needed by each', () => {
		const description = described(sent, answered);
		const path = description.paths['/thing/create'];
		if (path) path.parameters = [{ name: 'tenant', required: true, schema: text }];
		expect(driftOf(description, known())).toEqual([
			{
				endpoint: 'POST /thing/create',
				part: 'request',
				property: 'tenant',
				kind: 'changed',
				detail: 'is new and required',
			},
		]);
	});

	test('a method that says something else of such a parameter is believed, and a summary is no method', () => {
		const description = described(sent, answered);
		const path = description.paths['/thing/create'];
		const tenant = { name: 'tenant', required: true, schema: text };
		if (path?.post) path.post.parameters = [{ ...tenant, required: false }];
		Object.assign(path ?? {}, { parameters: [tenant], summary: 'Things', servers: [] });
		expect(breaking(driftOf(description, known()))).toEqual([]);
		expect(driftOf(description, known()).map(({ endpoint }) => endpoint)).toEqual([
			'POST /thing/create',
		]);
	});

	test('what is listed with its reason is not reported, nor what is in it', () => {
		const wider = object({ name: text, size: text, colour: text }, 'name');
		const differences = driftOf(described(wider, object({})), known());
		const { listed, unlisted } = partition(differences, {
			'gone POST /thing/create response parts': 'Read by nobody.',
			'new POST /thing/create request colour': 'Not offered.',
			'changed POST /thing/create response id': 'It was a number, too.',
		});
		expect(listed.map(({ property }) => property)).toEqual(['colour', 'parts']);
		expect(unlisted).toEqual([expect.objectContaining({ kind: 'gone', property: 'id' })]);
		expect(breaking(unlisted)).toEqual(unlisted);
	});
});

describe('every change of what the nodes use', () => {
	type Endpoint = Description['paths'][string][string];

	/** A change of a document, which can be undone. */
	interface Mutation {
		name: string;
		mutate(): () => void;
	}

	let known: Known;

	beforeAll(async () => {
		known = await readKnown();
	});

	/** All that the nodes send, and one part of what they use of the answer. */
	function partOf(use: Use, part: 'read' | 'returned'): Use {
		return { ...use, read: {}, returned: {}, [part]: use[part] };
	}

	/** How a Documenso describes an endpoint that takes and answers just that. */
	function described(name: string, use: Use, part: 'read' | 'returned') {
		const { request, [part]: answer } = use;
		const [method = '', path = ''] = name.split(' ');
		const responses = { 200: { content: { 'application/json': { schema: answer } } } };
		const endpoint = structuredClone({ ...describedRequest(method, path, request), responses });
		const description: Description = { paths: { [path]: { [method.toLowerCase()]: endpoint } } };
		return { endpoint, description };
	}

	/** Only what a POST does not take in its path is in a body; all else are parameters. */
	function describedRequest(method: string, path: string, request: JsonSchema): Endpoint {
		const objects = request.allOf ?? [request];
		const properties = objects.flatMap((one) => Object.entries(one.properties ?? {}));
		const required = objects.flatMap((one) => one.required ?? []);
		const isInBody = (name: string) => method === 'POST' && !path.includes(`{${name}}`);
		const parameters = properties
			.filter(([name]) => !isInBody(name))
			.map(([name, schema]) => ({ name, required: required.includes(name), schema }));
		if (method === 'GET') return { parameters };
		const schema = {
			type: 'object',
			properties: Object.fromEntries(properties.filter(([name]) => isInBody(name))),
			required: required.filter(isInBody),
		};
		return { parameters, requestBody: { content: { 'multipart/form-data': { schema } } } };
	}

	const schemaIn = (content: Endpoint['requestBody']): JsonSchema =>
		Object.values(content?.content ?? {})[0]?.schema ?? {};

	function without(owner: JsonSchema, name: string): () => void {
		const { properties = {}, required = [] } = owner;
		const { [name]: _removed, ...others } = properties;
		Object.assign(owner, { properties: others, required: required.filter((one) => one !== name) });
		return () => Object.assign(owner, { properties, required });
	}

	/** A property is removed from all forms that a value may have, or from one. */
	function propertyRemovals(schema: JsonSchema, from: 'all' | 'one'): Mutation[] {
		const owners = new Map<string, JsonSchema[]>();
		const visit = (one: JsonSchema, path: string) => {
			for (const form of [one.allOf, one.anyOf, one.oneOf].flatMap((forms) => forms ?? [])) {
				visit(form, path);
			}
			if (one.items) visit(one.items, `${path}[]`);
			for (const [name, inner] of Object.entries(one.properties ?? {})) {
				// It is not there anyway.
				if (inner.not) continue;
				const place = `${path}.${name}`;
				owners.set(place, [...(owners.get(place) ?? []), one]);
				visit(inner, place);
			}
		};
		visit(schema, '');
		return [...owners].flatMap(([place, all]) => {
			const name = place.slice(place.lastIndexOf('.') + 1);
			const groups = from === 'all' ? [all] : all.map((owner) => [owner]);
			return groups.map((some) => ({
				name: `without ${place} in ${from}`,
				mutate: () => {
					const undo = some.map((owner) => without(owner, name));
					return () => undo.forEach((one) => one());
				},
			}));
		});
	}

	function parameterMutations(endpoint: Endpoint): Mutation[] {
		const { parameters = [] } = endpoint;
		const become = (name: string, changed: typeof parameters): Mutation => ({
			name,
			mutate: () => {
				endpoint.parameters = changed;
				return () => void (endpoint.parameters = parameters);
			},
		});
		return [
			become('a new required parameter', [...parameters, { name: 'tenant', required: true }]),
			...parameters.map((one) =>
				become(
					`without the parameter ${one.name}`,
					parameters.filter((other) => other !== one),
				),
			),
			...parameters
				.filter(({ required }) => !required)
				.map((one) =>
					become(
						`the parameter ${one.name} is required`,
						parameters.map((other) => (other === one ? { ...one, required: true } : other)),
					),
				),
		];
	}

	function newInBody(body: JsonSchema): Mutation {
		const { properties, required = [] } = body;
		return {
			name: 'a new required property',
			mutate: () => {
				const added = { ...properties, tenant: { type: 'string' } };
				Object.assign(body, { properties: added, required: [...required, 'tenant'] });
				return () => Object.assign(body, { properties, required });
			},
		};
	}

	function mutationsOf(endpoint: Endpoint): Mutation[] {
		const body = schemaIn(endpoint.requestBody);
		return [
			...parameterMutations(endpoint),
			...propertyRemovals(body, 'all'),
			...propertyRemovals(body, 'one'),
			...(endpoint.requestBody ? [newInBody(body)] : []),
			...propertyRemovals(schemaIn(endpoint.responses?.['200']), 'all'),
		];
	}

	// Each difference that is returned makes `npm run drift` fail.
	test.each(['read', 'returned'] as const)(
		'what the nodes send or have %s cannot be removed, and nothing required added, unnoticed',
		(part) => {
			const names: string[] = [];
			const unnoticed: string[] = [];
			for (const [name, use] of known.used) {
				const ours = { ...known, used: new Map([[name, partOf(use, part)]]) };
				const { endpoint, description } = described(name, use, part);
				const changes = () => breaking(partition(driftOf(description, ours)).unlisted);
				expect(changes()).toEqual([]);
				for (const mutation of mutationsOf(endpoint)) {
					const undo = mutation.mutate();
					names.push(`${name}: ${mutation.name}`);
					if (changes().length === 0) unnoticed.push(`${name}: ${mutation.name}`);
					undo();
				}
				expect(changes()).toEqual([]);
			}
			expect(unnoticed).toEqual([]);
			expect(names.length).toBeGreaterThan(500);
		},
	);

	describe('an answer that cannot be read', () => {
		const name = 'GET /envelope';

		/** What is reported if the list of documents is described like this. */
		function reported(responses: NonNullable<Endpoint['responses']>) {
			const use = known.used.get(name);
			if (!use) throw new Error('No operation lists documents');
			const ours = { ...known, used: new Map([[name, use]]) };
			const { endpoint, description } = described(name, use, 'returned');
			Object.assign(endpoint, { responses });
			return breaking(driftOf(description, ours));
		}

		test('is reported, not taken for one in which nothing has changed', () => {
			const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } });
			const elsewhere: Record<string, ReturnType<typeof json>> = { 201: json({ type: 'object' }) };
			for (const responses of [{}, elsewhere, { 200: {} }, { 200: json({}) }]) {
				expect(reported(responses)).toEqual([expect.objectContaining({ endpoint: name })]);
			}
			expect(() => reported({ 200: json({ $ref: '#/List' }) })).toThrow('#/List');
		});
	});

	test('what the looks read is known, too', () => {
		const { read } = known.used.get('GET /envelope') ?? {};
		const described = propertiesOf(read ?? {});
		for (const property of ['createdAt', 'recipients[].readStatus', 'recipients[].signingStatus']) {
			expect(described.get(`data[].${property}`)?.types).toEqual(new Set(['string']));
		}
	});

	test('what the nodes use is known by their operations', () => {
		expect([...known.used.keys()]).toContain('POST /folder/create');
		expect(known.places).toContain('recipients[].signingStatus');
		const differences = driftOf({ paths: {} }, known);
		expect(differences).toContainEqual(
			expect.objectContaining({ kind: 'gone', endpoint: 'GET /envelope' }),
		);
	});
});
