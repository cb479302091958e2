import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ESLint } from 'eslint';

import { n8nRules } from './eslint.n8n.mjs';

/** Runs n8n's verification rules over the source or the packed files, before publishing. */
async function scan(what, cwd, patterns) {
	const eslint = new ESLint({
		cwd,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: n8nRules,
		errorOnUnmatchedPattern: true,
	});
	const results = await eslint.lintFiles(patterns);
	const errors = results.reduce((sum, { errorCount }) => sum + errorCount, 0);
	const warnings = results.reduce((sum, { warningCount }) => sum + warningCount, 0);
	const report = (await eslint.loadFormatter('stylish')).format(results);
	console.log(
		`${await report}scan: ${what}: ${results.length} files, ${errors} errors, ${warnings} warnings`,
	);
	return errors;
}

const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-documenso-scan-'));
try {
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	execFileSync('sh', ['-c', 'tar -xzf *.tgz'], { cwd: folder });
	const packed = join(folder, 'package');
	const errors =
		(await scan('source', process.cwd(), [
			'package.json',
			'{nodes,credentials}/**/*.{ts,js,json}',
		])) + (await scan('packed files', packed, ['package.json', '**/*.js']));
	process.exitCode = errors > 0 ? 1 : 0;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
