/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	setupFiles: ['<rootDir>/test/support/environment.ts'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/demo/n8n/', '<rootDir>/.demo/'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.test.json', diagnostics: false }] },
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
};
