import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { escaped } from './nodeError';

type HintType = NodeExecutionHint['type'];

/** How many items a hint lists. */
const LISTED_ITEMS = 10;

/** Shows a message, as HTML, above the node's output in the editor. */
export function addHint(context: IExecuteFunctions, message: string, type?: HintType) {
	// Older versions of n8n have no hints.
	if (!('addExecutionHints' in context)) return;
	context.addExecutionHints({ message, ...(type ? { type } : {}), location: 'outputPane' });
}

/** What is said of several items of a run: one hint for each message, with a line for each item. */
export class ItemHints {
	private readonly lines = new Map<string, { type: HintType; lines: string[] }>();

	add(message: string, line: string, type: HintType) {
		const known = this.lines.get(message) ?? { type, lines: [] };
		this.lines.set(message, known);
		known.lines.push(line);
	}

	show(context: IExecuteFunctions) {
		for (const [message, { type, lines }] of this.lines) {
			const more = lines.length - LISTED_ITEMS;
			const listed = lines.slice(0, LISTED_ITEMS);
			if (more > 0) listed.push(`and ${more} more`);
			addHint(context, [message, ...listed].map(escaped).join('<br>'), type);
		}
	}
}
