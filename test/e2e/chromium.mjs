import { installed } from '../installed.mjs';

/** The browser to drive. */
export async function findChromium(logDir) {
	return await installed(
		{
			title: 'Chromium',
			variable: 'CHROMIUM',
			commands: ['chromium', 'chromium-browser', 'google-chrome'],
			places: () => [
				'/usr/bin/chromium',
				'/Applications/Chromium.app/Contents/MacOS/Chromium',
				'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
			],
			debianPackage: 'chromium',
		},
		logDir,
	);
}
