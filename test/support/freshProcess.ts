import * as luxon from 'luxon';
import * as workflow from 'n8n-workflow';
import * as zod from 'zod';

import { clock, type Clock } from '../../nodes/shared/api/clock';

const sameTime: Clock = {
	now: () => clock.now(),
	uptime: () => clock.uptime(),
	sleep: async (milliseconds, signal) => {
		await clock.sleep(milliseconds, signal);
	},
	timeout: (milliseconds) => clock.timeout(milliseconds),
	turn: async () => {
		await clock.turn();
	},
	roughly: (milliseconds) => clock.roughly(milliseconds),
};

/** They remember nothing, and take most of the time. */
const loadedOnce = Object.entries({ luxon, 'n8n-workflow': workflow, zod });

/** What a process of n8n that has just started loads: it remembers nothing. Time is the same there. */
export function inFreshProcess<Module>(load: () => Module): Module {
	let loaded: { module: Module } | undefined;
	jest.isolateModules(() => {
		for (const [name, module] of loadedOnce) jest.doMock(name, () => module);
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		const own = require('../../nodes/shared/api/clock') as { clock: Clock };
		Object.assign(own.clock, sameTime);
		loaded = { module: load() };
	});
	if (!loaded) throw new Error('It was not loaded');
	return loaded.module;
}
