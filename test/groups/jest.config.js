const config = require('../../jest.config.js');

/**
 * The whole run. Every suite that loads n8n takes two seconds of processor time for it, so suites run in groups, each
 * of which loads it once. To run one suite, give jest its path.
 */
module.exports = {
	...config,
	rootDir: '../..',
	testMatch: ['<rootDir>/test/groups/*.group.ts'],
	maxWorkers: '100%',
};
