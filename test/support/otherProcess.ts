import { clock, type Clock } from '../../nodes/shared/api/clock';
import { addNodeType, NODE_TYPE } from './n8n';

/** The node as another n8n process has it: a second copy, which shares nothing in memory with the first. */
export const OTHER_PROCESS = `${NODE_TYPE}InAnotherProcess`;

type Nodes = typeof import('../../nodes/Documenso/Documenso.node.ts');
type Clocks = typeof import('../../nodes/shared/api/clock');

jest.isolateModules(() => {
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const { Documenso } = require('../../nodes/Documenso/Documenso.node.ts') as Nodes;
	addNodeType(OTHER_PROCESS, new Documenso());
	// Time passes as fast there.
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const { clock: other } = require('../../nodes/shared/api/clock') as Clocks;
	Object.assign(other, {
		now: () => clock.now(),
		uptime: () => clock.uptime(),
		sleep: async (milliseconds, signal) => {
			await clock.sleep(milliseconds, signal);
		},
	} satisfies Clock);
});
