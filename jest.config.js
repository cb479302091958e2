const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// The machines that run this are shared.
	testTimeout: 300_000,
	// Tests wait half of their time.
	maxWorkers: availableParallelism() + 2,
	roots: ['<rootDir>/test'],
	globalSetup: '<rootDir>/test/support/globalSetup.ts',
	globalTeardown: '<rootDir>/test/support/globalTeardown.ts',
	setupFiles: ['<rootDir>/test/support/environment.ts'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/n8n-host/n8n/', '<rootDir>/.demo/'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.test.json', diagnostics: false }] },
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
};
