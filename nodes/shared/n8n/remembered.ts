import type { FunctionsBase } from 'n8n-workflow';

export type NodeOfWorkflow = Pick<FunctionsBase, 'getNode' | 'getWorkflow'>;

/** What this process knows of each node of a workflow. */
export class PerNode<State> {
	private readonly states = new Map<string, State>();

	constructor(private readonly create: () => State) {}

	of(node: NodeOfWorkflow): State {
		const key = keyOf(node);
		const state = this.states.get(key) ?? this.create();
		this.states.set(key, state);
		return state;
	}

	all(): State[] {
		return [...this.states.values()];
	}

	end(node: NodeOfWorkflow) {
		this.states.delete(keyOf(node));
	}
}

/** A node keeps its ID when it is renamed. */
function keyOf(node: NodeOfWorkflow): string {
	return `${node.getWorkflow().id}/${node.getNode().id}`;
}

/** How many of the same kind a process remembers. */
const REMEMBERED = 10_000;

export function forgetOldest(known: Map<string, unknown> | Set<string>, most = REMEMBERED) {
	for (const oldest of known.keys()) {
		if (known.size <= most) break;
		known.delete(oldest);
	}
}
