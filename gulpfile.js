const { dest, parallel, src, task } = require('gulp');

const { n8n } = require('./package.json');

/** Each node and credential has the same place in `dist` as in the source. */
const entries = [...n8n.nodes, ...n8n.credentials].map((path) =>
	path.replace(/^dist\/|\.js$/g, ''),
);

/** Of the comments that start with `//`, rolldown keeps only those that start with `//!`. */
const keepComments = {
	name: 'keep comments',
	transform: (code) => ({ code: code.replace(/^(\s*)\/\/ /gm, '$1//! '), map: null }),
	renderChunk: (code) => ({ code: code.replace(/^(\s*)\/\/! /gm, '$1// '), map: null }),
};

/** All code goes into one file: opening 170 files takes longer than running them. */
task('build:code', async () => {
	const { rolldown } = await import('rolldown');
	const bundle = await rolldown({
		input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
		external: ['luxon', 'n8n-workflow', 'zod'],
		plugins: [keepComments],
	});
	await bundle.write({
		dir: 'dist',
		format: 'cjs',
		codeSplitting: { groups: [{ name: 'documenso' }] },
		chunkFileNames: '[name].js',
		generatedCode: { symbols: false },
		minify: false,
		// It contains the TypeScript, as debuggers would otherwise look for files that are not published.
		sourcemap: true,
	});
	await bundle.close();
});

/** The codex files and the previews of outputs. */
task('build:json', () => src('nodes/**/*.json').pipe(dest('dist/nodes')));

task('build:icons', () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons')));

task('build', parallel('build:code', 'build:json', 'build:icons'));
