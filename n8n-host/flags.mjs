import { parseArgs } from 'node:util';

import { UserError } from './userError.mjs';

/** The values of a program's flags. An unknown flag throws an error with the usage. */
export function readFlags(args, options, usage) {
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		throw new UserError(`${error.message}\n\n${usage}`);
	}
}

/** Settings of n8n by name, from flags `--env NAME=value`. */
export function readSettings(flags = []) {
	return Object.fromEntries(flags.map((flag) => flag.split(/=(.*)/s)));
}
