import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preProcessFile } from 'typescript';

const NODES = join(__dirname, '..', '..', 'nodes');

/** The files that loading a file loads, itself among them. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
	if (seen.has(file)) return seen;
	seen.add(file);
	for (const { fileName } of preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
		const imported = ['.ts', '/index.ts']
			.map((ending) => join(dirname(file), fileName + ending))
			.find((path) => fileName.startsWith('.') && existsSync(path));
		if (imported) loadedBy(imported, seen);
	}
	return seen;
}

test('nodes/shared holds what at least two of the nodes load, and nothing else', () => {
	const loaded = ['Documenso', 'DocumensoTrigger', 'DocumensoPollingTrigger'].map((node) =>
		loadedBy(join(NODES, node, `${node}.node.ts`)),
	);
	const shared = readdirSync(join(NODES, 'shared'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(NODES, 'shared', path));
	expect(shared.length).toBeGreaterThan(50);
	const users = (file: string) => loaded.filter((files) => files.has(file)).length;
	expect(shared.filter((file) => users(file) < 2)).toEqual([]);
});
