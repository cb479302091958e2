import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Resource } from '../../nodes/Documenso/engine/resource';
import { resources } from '../../nodes/Documenso/resources';
import { inputOf, localStage } from '../support/localStage';
import { operations } from '../support/operations';
import { useService } from '../support/suite';

// UPDATE=1 writes the table that this test otherwise compares.
const isUpdate = process.env.UPDATE === '1';
const file = join(__dirname, '..', '..', 'docs', 'operations.md');
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

function table(listed: Resource[]): string {
	const rows = listed.flatMap((resource) =>
		resource.operations.map(({ name, value, description, returns }, index) => {
			const cells = [
				index === 0 ? `**${resource.name}**` : '',
				name,
				description,
				endpointsOf(`${resource.value}.${value}`),
				returns,
			];
			return `| ${cells.join(' | ')} |`;
		}),
	);
	const head = '| resource | operation | what it does | endpoint | what it returns |';
	return [head, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** What stands between the two comments that mark a generated part. */
function part(name: string) {
	const page = readFileSync(file, 'utf8');
	const marker = `<!-- ${name}: generated, see CONTRIBUTING.md -->`;
	const start = page.indexOf(marker) + marker.length;
	const end = page.indexOf(`<!-- end of ${name} -->`);
	expect(start).toBeGreaterThan(marker.length);
	return {
		before: page.slice(0, start),
		text: page.slice(start, end).trim(),
		after: page.slice(end),
	};
}

function check(name: string, listed: Resource[]) {
	const { before, text, after } = part(name);
	if (isUpdate) writeFileSync(file, `${before}\n\n${table(listed)}\n\n${after}`);
	else expect(text).toBe(table(listed));
}

test('docs/operations.md lists every operation as the node describes it', () => {
	check('operations', current);
});

test('docs/operations.md lists the deprecated operations as long as they are there', () => {
	if (deprecated.length > 0) check('deprecated operations', deprecated);
	expect(part('deprecated operations').before).toContain('1 March 2027');
});
