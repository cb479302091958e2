import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Resource } from '../../nodes/Documenso/engine/resource';
import { resources } from '../../nodes/Documenso/resources';
import { inputOf, localStage } from '../support/localStage';
import { operations } from '../support/operations';
import { useService } from '../support/suite';

// UPDATE=1 writes the tables that this test otherwise compares.
const isUpdate = process.env.UPDATE !== undefined;
const root = join(__dirname, '..', '..');
const deprecated = resources.filter(({ value }) => value === 'templateDeprecated');
const current = resources.filter((resource) => !deprecated.includes(resource));

const suite = useService({ seed: 'demo' });
const stage = localStage(suite);

/** The endpoints to which each operation sends requests, such as `GET /envelope/{envelopeId}`, by its ID. */
const endpoints = new Map<string, Set<string>>();

test.each(operations)('$id sends requests', async (one) => {
	const { others, ...input } = await inputOf(one, stage);
	const sent = new Set<string>();
	for (const { parameters, items } of [input, ...others]) {
		// The preparation, too, makes calls.
		suite.service.calls.length = 0;
		await suite.outputOf(parameters, items);
		for (const endpoint of Object.keys(suite.service.counts().calls)) sent.add(endpoint);
	}
	expect(sent.size).toBeGreaterThan(0);
	endpoints.set(one.id, sent);
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
