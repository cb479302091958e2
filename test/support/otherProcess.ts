import { inFreshProcess } from './freshProcess';
import { addNodeType, NODE_TYPE } from './n8n';

/** The node as another n8n process has it: a second copy, which shares nothing in memory with the first. */
export const OTHER_PROCESS = `${NODE_TYPE}InAnotherProcess`;

type Nodes = typeof import('../../nodes/Documenso/Documenso.node.ts');

// eslint-disable-next-line @typescript-eslint/no-require-imports
const load = () => require('../../nodes/Documenso/Documenso.node.ts') as Nodes;
addNodeType(OTHER_PROCESS, new (inFreshProcess(load).Documenso)());
