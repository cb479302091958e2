import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { Resource } from '../../nodes/Documenso/engine/resource';
import { resources } from '../../nodes/Documenso/resources';
import { happyPaths } from '../support/happyPaths';
import { inputOf, localStage } from '../support/localStage';
import { operations } from '../support/operations';
import { schemaOf } from '../support/schema';
import { useService } from '../support/suite';

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
