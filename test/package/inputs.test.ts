import * as engine from '../../nodes/Documenso/engine/input';
import { envelopeOfPart } from '../../nodes/Documenso/inputs/locators';
import { happyPaths } from '../support/happyPaths';
import { operations } from '../support/operations';
import { useService } from '../support/suite';

const { readInputs } = engine;
const suite = useService({ seed: 'demo' });

type Inputs = engine.Inputs;
type Input = Inputs[string];

/** Names of inputs, those inside a collection as `options.label`; and which of them were read. */
let all: Set<string>;
let read: Set<string>;

/** The values themselves, which tell what is read of them. To copy them, or the rest of them, is to read them all. */
function watched(values: object, names: string[], prefix = ''): object {
	const mark = (name: string) => read.add(prefix + name);
	return new Proxy(values, {
		get: (target, name) => {
			mark(String(name));
			return Reflect.get(target, name) as unknown;
		},
		has: (target, name) => {
			mark(String(name));
			return Reflect.has(target, name);
		},
		ownKeys: (target) => {
			names.forEach(mark);
			return Reflect.ownKeys(target);
		},
	});
}

/** A notice is only for the eyes, and a document may be picked only to pick a part of it. */
const isForTheEditor = (one: Input) =>
	one.property.type === 'notice' ||
	one.property.description === envelopeOfPart.property.description;

function inner({ property }: Input): string[] {
	return property.type === 'collection' ? (property.options ?? []).map(({ name }) => name) : [];
}

beforeEach(() => {
	[all, read] = [new Set(), new Set()];
	// The real one, whose values are watched: nothing else knows what an operation does with them.
	jest.spyOn(engine, 'readInputs').mockImplementation((inputs, context, item) => {
		const values: Record<string, unknown> = readInputs(inputs, context, item);
		for (const [name, one] of Object.entries(inputs)) {
			// What decides whether others are shown is read by that.
			for (const { input } of one.conditions ?? []) read.add(input);
			if (isForTheEditor(one)) continue;
			all.add(name);
			inner(one).forEach((key) => all.add(`${name}.${key}`));
			if (inner(one).length === 0) continue;
			values[name] &&= watched(values[name], inner(one), `${name}.`);
		}
		return watched(values, Object.keys(inputs)) as ReturnType<typeof readInputs<typeof inputs>>;
	});
});
afterEach(() => {
	jest.restoreAllMocks();
});

test.each(operations)(
	'$id does something with each of its inputs',
	async ({ id, resource, operation }) => {
		const setUp = happyPaths[id];
		const { parameters = {}, items } = (await setUp?.(suite)) ?? {};
		[all, read] = [new Set(), new Set()];
		await suite.outputOf({ resource, operation: operation.value, ...parameters }, items);
		expect(all.size).toBeGreaterThan(0);
		expect([...all].filter((name) => !read.has(name))).toEqual([]);
	},
);
