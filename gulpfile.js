const { Transform } = require('node:stream');

const { dest, parallel, src, task } = require('gulp');
const { minify } = require('terser');

const { n8n } = require('./package.json');

/** Each node and credential stands in `dist` where it stands in the source. */
const entries = [...n8n.nodes, ...n8n.credentials].map((path) =>
	path.replace(/^dist\/|\.js$/g, ''),
);

/** Names stay and lines stay short, so that stack traces and reviewers find their way. */
const withoutBlanks = { compress: false, mangle: false, format: { ecma: 2020, semicolons: false } };

/** One file for all, because finding and opening 170 takes longer than running them. */
task('build:code', async () => {
	const { rolldown } = await import('rolldown');
	const bundle = await rolldown({
		input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
		external: ['luxon', 'n8n-workflow', 'zod'],
		plugins: [{ name: 'terser', renderChunk: (code) => minify(code, withoutBlanks) }],
	});
	await bundle.write({
		dir: 'dist',
		format: 'cjs',
		codeSplitting: { groups: [{ name: 'documenso' }] },
		chunkFileNames: '[name].js',
		generatedCode: { symbols: false },
		minify: false,
	});
	await bundle.close();
});

/** The codex files and the previews of outputs. */
task('build:json', () =>
	src('nodes/**/*.json')
		.pipe(
			new Transform({
				objectMode: true,
				transform(file, _encoding, done) {
					file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents)));
					done(null, file);
				},
			}),
		)
		.pipe(dest('dist/nodes')),
);

task('build:icons', () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons')));

task('build', parallel('build:code', 'build:json', 'build:icons'));
