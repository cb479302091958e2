import { placeOf } from '../../drift/compare';
import { driftOf, partition, type Description } from '../../drift/drift';
import { readKnown, type Known } from '../../drift/ours';
import { propertiesOf, type JsonSchema } from '../../drift/properties';

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
	const [request, read] = [propertiesOf(sent), propertiesOf(answered)];
	const places = new Set([...request.keys(), ...read.keys()].map(placeOf));
	return { used: new Map([['POST /thing/create', { request, read }]]), places };
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
	expect(driftOf(description, known()).map(({ kind, endpoint }) => `${kind} ${endpoint}`)).toEqual([
		'gone POST /thing/create',
		'new POST /thing/make',
	]);
});

test('what is listed with its reason is not reported, nor what is in it', () => {
	const wider = object({ name: text, size: text, colour: text }, 'name');
	const differences = driftOf(described(wider, object({})), known());
	const { listed, unlisted } = partition(differences, {
		'POST /thing/create response parts': 'Read by nobody.',
		'POST /thing/create request colour': 'Not offered.',
	});
	expect(listed.map(({ property }) => property)).toEqual(['colour', 'parts']);
	expect(unlisted.map(({ property }) => property)).toEqual(['id']);
});

test('the nodes are known by their operations: a service without a folder to create is noticed', async () => {
	const { used, places } = await readKnown();
	expect([...used.keys()]).toContain('POST /folder/create');
	expect(places).toContain('recipients[].signingStatus');
	const folder = object({ name: text, type: { type: 'string', enum: ['DOCUMENT'] } }, 'name');
	const found = driftOf(described(folder, object({}), '/folder/create'), { used, places });
	expect(found.filter(({ endpoint }) => endpoint === 'POST /folder/create')).toEqual([
		expect.objectContaining({ kind: 'gone', property: 'parentId' }),
		expect.objectContaining({
			kind: 'changed',
			property: 'type',
			detail: 'no longer takes TEMPLATE',
		}),
	]);
	expect(found).toContainEqual(
		expect.objectContaining({ kind: 'gone', endpoint: 'GET /envelope' }),
	);
});
