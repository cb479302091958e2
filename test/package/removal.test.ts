import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

test('without the deprecated resource the package still builds', () => {
	const copy = mkdtempSync(join(tmpdir(), 'n8n-nodes-documenso-removal-'));
	try {
		for (const name of ['nodes', 'credentials', 'package.json', 'tsconfig.json']) {
			cpSync(join(root, name), join(copy, name), { recursive: true });
		}
		symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
		const resources = join(copy, 'nodes', 'Documenso', 'resources');
		rmSync(join(resources, 'templateDeprecated'), { recursive: true });
		const registry = join(resources, 'index.ts');
		const lines = readFileSync(registry, 'utf8').split('\n');
		writeFileSync(
			registry,
			lines.filter((line) => !line.includes('templateDeprecated')).join('\n'),
		);

		const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
		expect(execFileSync(process.execPath, [compiler, '--noEmit'], { cwd: copy }).toString()).toBe(
			'',
		);
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
});
