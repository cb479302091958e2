import { setTimeout as sleep } from 'node:timers/promises';

import { COMPLETED } from './stage.mjs';

const aMinuteMs = 60_000;
/** How long a program is down before it is started again. */
const downMs = 3000;
/** How many calls Documenso still carries out when it goes down, without answering. */
const unanswered = 5;
const never = 1_000_000;

/**
 * What goes wrong while rows are worked on and events arrive. `happen` resolves when everything runs again.
 */
export const disturbances = {
	nothing: {
		title: 'Nothing goes wrong',
		sizes: { long: 1000, short: 60 },
		happen: async () => {},
	},
	worker: {
		title: 'A worker is killed, another one started',
		sizes: { long: 300, short: 150 },
		happen: async ({ cluster }) => {
			await cluster.workers.shift().kill();
			await cluster.addWorker();
		},
	},
	webhook: {
		title: 'Each webhook process is killed and started again',
		sizes: { long: 300, short: 60 },
		happen: async (stage) => {
			for (const process of stage.cluster.webhooks) {
				await process.kill();
				await sleep(downMs);
				await process.start();
			}
		},
	},
	main: {
		title: 'The main process is killed and started again',
		sizes: { long: 300 },
		happen: async ({ cluster: { main } }) => {
			await main.kill();
			await sleep(downMs);
			await main.start();
		},
	},
	starting: {
		title: 'Deliveries go straight to a webhook process that starts',
		sizes: { long: 300 },
		happen: async (stage) => {
			const [process] = stage.cluster.webhooks;
			await process.stop();
			await stage.emulator.forgetWebhooks();
			await stage.deliverTo('events', [COMPLETED], process.url);
			process.begin();
			await process.ready();
			await stage.emulator.forgetWebhooks();
			await stage.deliverTo('events', [COMPLETED]);
		},
	},
	redis: {
		title: 'Redis is killed and started again',
		sizes: { long: 300 },
		happen: async ({ cluster: { redis } }) => {
			await redis.program.kill();
			await sleep(downMs);
			await redis.program.start();
		},
	},
	postgresql: {
		title: 'PostgreSQL is stopped and started again',
		sizes: { long: 300 },
		happen: async ({ cluster: { postgresql } }) => {
			// Does not wait until its clients have left.
			await postgresql.program.stop('SIGINT');
			await sleep(downMs);
			await postgresql.program.start();
		},
	},
	documenso: {
		title: 'Documenso is down for a minute',
		sizes: { long: 300 },
		happen: async ({ emulator }) => {
			await emulator.fail({ match: 'POST *', cut: 'after', times: unanswered });
			await emulator.fail({ match: '*', cut: 'before', times: never });
			await sleep(aMinuteMs);
			await emulator.recover();
		},
	},
};
