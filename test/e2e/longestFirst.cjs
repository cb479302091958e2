const Sequencer = require('@jest/test-sequencer').default;

/** They wait for minutes. On a clean checkout, jest knows no times, and begins with the largest files. */
const LONGEST = ['durablePolls', 'crash', 'retry', 'restart'];

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const place = ({ path }) => LONGEST.findIndex((name) => path.endsWith(`${name}.e2e.ts`));
		const sorted = super.sort(tests);
		const long = sorted.filter((test) => place(test) >= 0).sort((a, b) => place(a) - place(b));
		return [...long, ...sorted.filter((test) => place(test) < 0)];
	}
};
