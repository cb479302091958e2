import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { run } from '../n8n-host/children.mjs';
import { step } from '../n8n-host/progress.mjs';
import { UserError } from '../n8n-host/userError.mjs';

/**
 * The path of a program. Where there is none and we may, Debian's package is installed.
 *
 * @param program `title`: what users call it; `commands`: its names on the PATH; `places`: where it may be besides;
 * `variable`: the environment variable that names another one
 */
export async function installed(program, logDir) {
	const { title, variable, debianPackage } = program;
	const asked = process.env[variable];
	if (asked && !existsSync(asked)) {
		throw new UserError(
			`The environment variable ${variable} says ${asked}, which does not exist.`,
		);
	}
	const found = asked || find(program);
	if (found) return found;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new UserError(
			`These tests need ${title}: install it (on Debian: apt-get install ${debianPackage}), or set the environment variable ${variable} to the path of yours.`,
		);
	}
	await step(`Installing ${title} (about a minute, once)`, async () => {
		await aptGet(['update'], logDir);
		await aptGet(['install', '-y', '--no-install-recommends', debianPackage], logDir);
	});
	return find(program);
}

function find({ commands, places = () => [] }) {
	const folders = (process.env.PATH ?? '').split(delimiter);
	const onPath = commands.flatMap((name) => folders.map((folder) => join(folder, name)));
	return [...places(), ...onPath].find((path) => existsSync(path));
}

function aptGet(args, logDir) {
	return run(`apt-get ${args[0]}`, 'apt-get', args, {
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
		logFile: join(logDir, `apt-get-${args[0]}.log`),
	});
}
