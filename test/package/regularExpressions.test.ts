import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { check } from 'recheck';
import ts from 'typescript';

import { Documenso } from '../../nodes/Documenso/Documenso.node.ts';
import type * as Mask from '../../nodes/shared/api/mask';
import type * as Locators from '../../nodes/shared/inputs/locators';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node.ts';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node.ts';

/**
 * What strangers send costs time in proportion to its length, so no regular expression may cost more. `recheck` counts
 * the steps of a backtracking engine, and searches for a text for which they grow faster than the text.
 */
const root = join(__dirname, '..', '..');
const files = ['nodes', 'credentials'].flatMap(sourcesIn);

/** The pattern of a user, who is told so. */
const OF_USERS = 'nodes/shared/events/textCondition.ts';

/** It is too long for the search. No part of it repeats without a limit, and it reads 64 KB at most. */
const OF_TOKEN = 'nodes/shared/api/mask.ts';

function sourcesIn(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => `${folder}/${name}`);
}

function nodesIn(file: string): ts.Node[] {
	const text = readFileSync(join(root, file), 'utf8');
	const all = (node: ts.Node): ts.Node[] => [
		node,
		...node.getChildren().flatMap((child) => all(child)),
	];
	return all(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
}

function isBuilding(node: ts.Node): boolean {
	return ts.isNewExpression(node) && node.expression.getText() === 'RegExp';
}

const written = files.flatMap((file) =>
	nodesIn(file)
		.filter(ts.isRegularExpressionLiteral)
		.map(({ text }) => text),
);

/** Those that are built while the nodes are loaded and used, by the file that builds them. */
function builtOnes(): Array<[pattern: string, file: string]> {
	const built = new Map<string, string>();
	const { RegExp: native } = globalThis;
	globalThis.RegExp = new Proxy(native, {
		construct(target, given: [string, string?]) {
			const made = new target(...given);
			const callers = String(new Error().stack).split('\n').slice(2);
			const [, path = ''] = /(\/[^:]+):\d/.exec(callers[0] ?? '') ?? [];
			built.set(String(made), relative(root, path));
			return made;
		},
	});
	try {
		jest.isolateModules(() => {
			/* eslint-disable @typescript-eslint/no-require-imports */
			const mask = require('../../nodes/shared/api/mask') as typeof Mask;
			const locators = require('../../nodes/shared/inputs/locators') as typeof Locators;
			/* eslint-enable @typescript-eslint/no-require-imports */
			mask.maskOf('a+/=@"8_')('');
			locators.envelopeIdSchema.safeParse('');
		});
	} finally {
		globalThis.RegExp = native;
	}
	return [...built].filter(([, file]) => files.includes(file));
}

const built = builtOnes();

/** What n8n checks for us: in locators, as soon as a value is entered or an expression gives one. */
function inDescription(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
		key === 'regex' && typeof inner === 'string' ? [`/${inner}/`] : inDescription(inner),
	);
}

const described = [new Documenso(), new DocumensoTrigger(), new DocumensoPollingTrigger()].flatMap(
	({ description }) => inDescription(description),
);

const patterns = new Set([
	...written,
	...built.filter(([, file]) => file !== OF_TOKEN).map(([pattern]) => pattern),
	...described,
]);

async function complexityOf(pattern: string): Promise<string> {
	const end = pattern.lastIndexOf('/');
	const found = await check(pattern.slice(1, end), pattern.slice(end + 1), {
		// Otherwise, a search on a busy machine would be given up.
		timeout: 100_000,
		randomSeed: 1,
	});
	return found.status === 'unknown' ? found.status : found.complexity.type;
}

test('every file that builds a regular expression is looked at, but for those of users', () => {
	const building = files.filter((file) => nodesIn(file).some(isBuilding));
	expect([...new Set(built.map(([, file]) => file)), OF_USERS].sort()).toEqual(building.sort());
	expect(written.length).toBeGreaterThan(70);
	expect(described.length).toBeGreaterThan(5);
});

test.each([...patterns])('%s takes time in proportion to the text', async (pattern) => {
	expect(['safe', 'linear']).toContain(await complexityOf(pattern));
});

test('the one that finds the token repeats nothing without a limit', () => {
	const [pattern = ''] = built.find(([, file]) => file === OF_TOKEN) ?? [];
	expect(pattern).toContain('{0,4}');
	expect(pattern.replace(/\\./g, '')).not.toMatch(/[*+]|\{\d*,\}/);
});

test.each([
	['cubic', String.raw`/\s*[([].*[)\]]\s*$/`],
	['quadratic', String.raw`/^"\s*|\s*"$/g`],
	['exponential', '/(a+)+$/'],
])('one that is %s would be found', async (_, pattern) => {
	expect(['polynomial', 'exponential']).toContain(await complexityOf(pattern));
});
