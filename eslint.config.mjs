import js from '@eslint/js';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

import { n8nRules } from './eslint.n8n.mjs';

const sources = [
	'nodes/**/*.ts',
	'credentials/**/*.ts',
	'emulator/**/*.ts',
	'conformance/**/*.ts',
	'test/**/*.ts',
];

const nodeGlobals = Object.fromEntries(
	[
		'Buffer',
		'FormData',
		'URL',
		'console',
		'fetch',
		'module',
		'performance',
		'process',
		'require',
		'setInterval',
		'clearInterval',
		'setTimeout',
	].map((name) => [name, 'readonly']),
);

/** `target` must not import `from`. */
const zone = (target, from, message) => ({ target, from, message });

/** Each may import from those before it. */
const layers = [
	'shared/api',
	'shared/pdf',
	'shared/n8n',
	'shared/inputs',
	'shared/envelope',
	'shared/waiting',
	'shared/pickers',
	'shared/events',
	'shared/polls',
	'Documenso/engine',
	'Documenso/inputs',
	'Documenso/envelope',
	'Documenso/creation',
	'Documenso/template',
	'Documenso/check',
	'Documenso/waiting',
	'Documenso/pickers',
	'Documenso/resources',
	'DocumensoTrigger',
	'DocumensoPollingTrigger',
].map((folder) => `./nodes/${folder}`);

export default [
	{ ignores: ['dist/', 'coverage/', 'node_modules/', 'n8n-host/n8n/', '.demo/'] },
	...n8nRules,
	{
		...js.configs.recommended,
		files: ['**/*.{js,mjs}'],
		languageOptions: { globals: nodeGlobals },
	},
	...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: sources })),
	{
		files: sources,
		plugins: { 'import-x': importX },
		languageOptions: {
			parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname },
		},
		// Without them, the rules of import-x would not find imported files, and would report nothing.
		settings: {
			'import-x/extensions': ['.ts'],
			'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
			'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })],
		},
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			'import-x/no-cycle': 'error',
			'import-x/no-restricted-paths': [
				'error',
				{
					zones: [
						zone(
							'./emulator',
							['./nodes', './credentials'],
							'One mistake would pass on both sides.',
						),
						zone(
							['./nodes', './credentials'],
							['./emulator', './test', './conformance', './demo', './n8n-host'],
							'Not published.',
						),
						...layers
							.slice(0, -1)
							.map((layer, index) =>
								zone(
									layer,
									layers.slice(index + 1),
									'See the list in CONTRIBUTING.md: a folder imports only from those above it.',
								),
							),
						...['Documenso', 'DocumensoTrigger', 'DocumensoPollingTrigger'].map((node, _, nodes) =>
							zone(
								`./nodes/${node}`,
								nodes.filter((other) => other !== node).map((other) => `./nodes/${other}`),
								'What nodes share is in nodes/shared.',
							),
						),
					],
				},
			],
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
			// n8n's interfaces and Fastify's plugins are async whether or not they await anything.
			'@typescript-eslint/require-await': 'off',
			// n8n's own style: the stack then shows the caller.
			'@typescript-eslint/return-await': ['error', 'always'],
		},
	},
	{
		files: ['nodes/**/*.ts'],
		// It is the clock; and what measures how long the processor is busy, whatever the time.
		ignores: ['nodes/shared/api/clock.ts', 'nodes/shared/api/turns.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				...[
					'MemberExpression[object.name=Date][property.name=now]',
					'NewExpression[callee.name=Date][arguments.length=0]',
					'MemberExpression[object.name=performance]',
					'MemberExpression[object.name=AbortSignal][property.name=timeout]',
					'CallExpression[callee.name=/^(setTimeout|setInterval|sleep)$/]',
				].map((selector) => ({ selector, message: 'Time comes from nodes/shared/api/clock.ts.' })),
			],
		},
	},
	// n8n calls a node's methods with its own `this`, and so do the tests.
	{ files: ['test/**/*.ts'], rules: { '@typescript-eslint/unbound-method': 'off' } },
];
