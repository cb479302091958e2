import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const { parser } = tseslint;
const linted = ['package.json', '{nodes,credentials}/**/*.{ts,js,json}', 'dist/**/*.js'];

/**
 * n8n's two rule sets, configured as in its verification. `npm run lint` applies them to the source,
 * `npm run scan` to source and packed files, where it ignores inline `eslint-disable` comments.
 */
export const n8nRules = [
	{
		files: linted,
		plugins: {
			...n8nCommunityNodesPlugin.configs.recommended.plugins,
			'n8n-nodes-base': n8nNodesBase,
		},
		rules: { ...n8nCommunityNodesPlugin.configs.recommended.rules, 'no-console': 'error' },
	},
	{ files: ['package.json'], rules: n8nNodesBase.configs.community.rules },
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{ files: ['package.json', '**/*.json', '**/*.ts'], languageOptions: { parser } },
];
