import { scheduleOf } from './schedule';
import { World } from './world';

/**
 * Thousands of random schedules for the real code that creates documents: requests that take effect late or never, lost
 * and foreign answers, lists that lag, processes that are killed, retries that read the rows again, loops, executions that
 * are cancelled, clocks apart, and people at work meanwhile. In every third, documents replace others while people sign,
 * reject and cancel them.
 *
 * `SIMULATION_SEED=7` runs one schedule and prints what happens in it; `SIMULATIONS=100000` runs more of them, and
 * `SIMULATION_FROM=5000` others.
 *
 * What cannot be promised is not in the schedules:
 * - Skip and Fail without Across Workers: two processes that are at work on the same external IDs. Such executions are in
 *   one process, which n8n starts again when it is killed, or they are retries of one execution.
 * - A second retry of the same original execution within two minutes after the first one: n8n shows no retry what another
 *   one did.
 * - A foreign answer that names no recipients, and a document that no item of the run is known to have.
 * - Rows of one person that have moved between two executions, and moved rows where n8n does not tell a retry when the
 *   original began: the node's own IDs name a row's place. An error about a moved row names the ID of its place, too.
 * - Two retries of one execution at the same moment.
 * - Two executions of one node that begin in the same millisecond.
 * - A person who moves a document during a look: the service lists one folder at a time.
 * - A person who sends a draft within seconds before the node deletes or sends one with the same external ID.
 * - A person who creates a draft with the same external ID within two minutes after a kill: it is taken for that of the
 *   killed process, which may still create one.
 */
const { SIMULATION_SEED, SIMULATION_FROM = '1', SIMULATIONS = '2000' } = process.env;

async function simulated(seed: number): Promise<World> {
	const world = new World(scheduleOf(seed));
	await world.run();
	return world;
}

function told({ schedule, service }: World): string {
	return [JSON.stringify(schedule, null, 2), ...service.trace].join('\n');
}

test('nothing is sent twice, taken for another, forgotten, or without an end in any schedule', async () => {
	const first = Number(SIMULATION_SEED ?? SIMULATION_FROM);
	const count = SIMULATION_SEED === undefined ? Number(SIMULATIONS) : 1;
	const failed: string[] = [];
	let shortest: World | undefined;
	for (let seed = first; seed < first + count; seed++) {
		const world = await simulated(seed);
		const faults = world.faults();
		failed.push(...faults.map((fault) => `SIMULATION_SEED=${seed}: ${fault}`));
		const { length } = world.service.trace;
		if (faults.length > 0 && length < (shortest?.service.trace.length ?? Infinity))
			shortest = world;
		if (SIMULATION_SEED !== undefined) console.log(told(world));
	}
	if (failed.length === 0) return;
	throw new Error([...failed, '', 'The shortest:', shortest && told(shortest)].join('\n'));
	// A busy machine takes many times as long.
}, 600_000);

test('a seed always gives the same schedule, with the same course', async () => {
	const [one, other] = [await simulated(7), await simulated(7)];
	expect(told(one)).toBe(told(other));
});
