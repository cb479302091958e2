import { parseArgs } from 'node:util';

import { UserError } from './userError.mjs';

/** The values of a program's flags. Those that it does not have are answered with its usage. */
export function readFlags(args, options, usage) {
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		throw new UserError(`${error.message}\n\n${usage}`);
	}
}
