import { UNSUPPORTED_ENDPOINTS } from '../../emulator/http/unsupportedEndpoints';
import { routes } from '../../emulator/routes';
import { compareRequest, compareResponse, type Difference } from './compare';
import explanations from './known.json';
import type { Known } from './ours';
import { propertiesOf, type JsonSchema, type Properties } from './properties';

interface Content {
	content?: Record<string, { schema?: JsonSchema }>;
}

interface Parameter {
	name: string;
	/** Such as `query`. */
	in?: string;
	required?: boolean;
	schema?: JsonSchema;
}

interface Procedure {
	parameters?: Parameter[];
	requestBody?: Content;
	responses?: Record<string, Content>;
}

/** The parts of an OpenAPI 3.0 document that this reads. */
export interface Description {
	paths: Record<string, Record<string, Procedure> & { parameters?: Parameter[] }>;
}

/** How a Documenso that describes itself so differs from the one that the nodes were made for. */
export function driftOf({ paths }: Description, { used, places }: Known): Difference[] {
	const described = new Map<string, Procedure>(
		Object.entries(paths).flatMap(([path, { parameters = [], ...others }]) =>
			Object.entries(others)
				.filter(([name]) => METHODS.includes(name))
				.map(([method, one]) => [
					`${method.toUpperCase()} ${path}`,
					{ ...one, parameters: withShared(parameters, one.parameters) },
				]),
		),
	);
	const ofEndpoint = (endpoint: string, kind: 'new' | 'gone') =>
		({ endpoint, part: '', property: '', kind, detail: '' }) as const;
	const differences = [...used].flatMap(([endpoint, { request, read, returned }]): Difference[] => {
		const one = described.get(endpoint);
		if (!one) return [ofEndpoint(endpoint, 'gone')];
		const sent = compareRequest(propertiesOf(request), requestOf(one));
		const ours = { read: propertiesOf(read), returned: propertiesOf(returned), places };
		const theirs = responseOf(one);
		// Of an answer that may be anything, nothing could be compared.
		const isTold = ours.returned.size <= 1 || !isAnything(theirs);
		const got = isTold ? compareResponse(ours, theirs) : [UNTOLD];
		return [
			...sent.map((found) => ({ endpoint, part: 'request' as const, ...found })),
			...got.map((found) => ({ endpoint, part: 'response' as const, ...found })),
		];
	});
	const isNew = (endpoint: string) => !used.has(endpoint) && !EXISTING.has(endpoint);
	const added = [...described.keys()].filter(isNew);
	return [...differences, ...added.map((endpoint) => ofEndpoint(endpoint, 'new'))];
}

/** A path has other things besides, such as a summary. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What holds for all methods of a path holds for each, unless it says something else. */
function withShared(shared: Parameter[], own: Parameter[] = []): Parameter[] {
	const isOwn = (one: Parameter) =>
		own.some((other) => other.name === one.name && other.in === one.in);
	return [...shared.filter((one) => !isOwn(one)), ...own];
}

const UNTOLD = { property: '', kind: 'gone', detail: 'no JSON is described for 200' } as const;

function isAnything(properties: Properties): boolean {
	return properties.get('')?.types.has('any') ?? true;
}

/** Those that known.json explains, and the others. What it says of a property holds for all that is in it. */
export function partition(
	differences: Difference[],
	explained: Record<string, string> = explanations,
) {
	const isListed = ({ kind, endpoint, part, property }: Difference) => {
		const name = `${kind} ${endpoint} ${part} ${property}`;
		return Object.keys(explained).some((one) => name === one || name.startsWith(`${one}.`));
	};
	return {
		listed: differences.filter(isListed),
		unlisted: differences.filter((one) => !isListed(one)),
	};
}

/** Those that may break the nodes. What is new does not. */
export function breaking(differences: Difference[]): Difference[] {
	return differences.filter(({ kind }) => kind !== 'new');
}

const EXISTING = new Set(
	[...routes.map(({ method, path }) => `${method} ${path}`), ...UNSUPPORTED_ENDPOINTS].map(
		(endpoint) => endpoint.replace(/:(\w+)/g, '{$1}'),
	),
);

/** What is in the path, in the query and in the body, as one. An endpoint without a body takes nothing else. */
function requestOf({ parameters = [], requestBody }: Procedure): Properties {
	const [body] = Object.values(requestBody?.content ?? {});
	const named = parameters.map(({ name, schema = {} }) => [name, schema] as const);
	const needed = parameters.filter(({ required }) => required).map(({ name }) => name);
	const ofParameters = {
		type: 'object',
		properties: Object.fromEntries(named),
		required: needed,
	};
	return propertiesOf({ allOf: [ofParameters, ...(body ? [body.schema ?? {}] : [])] });
}

function responseOf({ responses = {} }: Procedure): Properties {
	return propertiesOf(responses['200']?.content?.['application/json']?.schema ?? {});
}
