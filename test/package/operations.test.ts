import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Resource } from '../../nodes/Documenso/engine/resource';
import { resources } from '../../nodes/Documenso/resources';

// UPDATE=1 writes the table that this test otherwise compares.
const isUpdate = process.env.UPDATE === '1';
const file = join(__dirname, '..', '..', 'docs', 'operations.md');
const deprecated = resources.filter(({ value }) => value === 'templateDeprecated');
const current = resources.filter((resource) => !deprecated.includes(resource));

function table(listed: Resource[]): string {
	const rows = listed.flatMap((resource) =>
		resource.operations.map(({ name, description, endpoint, returns }, index) => {
			const endpoints = endpoint.split(', ').map((one) => `\`${one}\``);
			const cells = [
				index === 0 ? `**${resource.name}**` : '',
				name,
				description,
				endpoints.join('<br>'),
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
