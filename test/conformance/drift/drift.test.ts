import { placeOf } from '../../../conformance/drift/compare';
import { breaking, driftOf, partition, type Description } from '../../../conformance/drift/drift';
import type { Known } from '../../../conformance/drift/ours';
import { propertiesOf, type JsonSchema } from '../../../conformance/drift/properties';

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
	expect(driftOf(description, known()).map(({ kind, endpoint }) => `${kind} ${endpoint}`)).toEqual([
		'gone POST /thing/create',
		'new POST /thing/make',
	]);
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
