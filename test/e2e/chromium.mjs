import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { run } from '../../demo/children.mjs';
import { UserError } from '../../demo/userError.mjs';
import { step } from '../../demo/progress.mjs';

const debianChromium = '/usr/bin/chromium';
const places = [
	debianChromium,
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser to drive; where there is none and we may, it is installed. */
export async function findChromium(logDir) {
	const { CHROMIUM: asked } = process.env;
	if (asked && !existsSync(asked)) {
		throw new UserError(`The environment variable CHROMIUM says ${asked}, which does not exist.`);
	}
	const found = asked || places.find((path) => existsSync(path));
	if (found) return found;

	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new UserError(
			'The end-to-end tests need Chromium: install it (on Debian: apt-get install chromium), or set the environment variable CHROMIUM to the path of yours.',
		);
	}
	await step('Installing Chromium (about a minute, once)', async () => {
		await aptGet(['update'], logDir);
		await aptGet(['install', '-y', '--no-install-recommends', 'chromium'], logDir);
	});
	return debianChromium;
}

function aptGet(args, logDir) {
	return run(`apt-get ${args[0]}`, 'apt-get', args, {
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
		logFile: join(logDir, `apt-get-${args[0]}.log`),
	});
}
