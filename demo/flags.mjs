import { parseArgs } from 'node:util';

import { DemoFailure } from './failure.mjs';

/** The values of a program's flags. Those that it does not have are answered with its usage. */
export function readFlags(args, options, usage) {
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		throw new DemoFailure(`${error.message}\n\n${usage}`);
	}
}
