const { testEnvironment, modulePathIgnorePatterns, transform } = require('./jest.config.js');

/** The suites that need a real n8n: `npm run test:e2e` starts one and hands it over. */
/** @type {import('jest').Config} */
module.exports = {
	testEnvironment,
	modulePathIgnorePatterns,
	transform,
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['**/*.e2e.ts'],
	testSequencer: '<rootDir>/test/e2e/longestFirst.cjs',
	testTimeout: 300_000,
	// Names every test, also where several suites run.
	verbose: true,
};
