const Sequencer = require('@jest/test-sequencer').default;

/** They wait for minutes. On a clean checkout, jest knows no times, and begins with the largest files. */
const LONGEST = ['durablePolls', 'crash', 'retry', 'restart'];

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const isLong = ({ path }) => LONGEST.some((name) => path.endsWith(`${name}.e2e.ts`));
		const sorted = super.sort(tests);
		return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
	}
};
