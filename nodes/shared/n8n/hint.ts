import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { escaped } from './nodeError';

type HintType = NodeExecutionHint['type'];

const LISTED_ITEMS = 10;

/** Shows a message, as HTML, above the node's output in the editor. */
export function addHint(context: IExecuteFunctions, message: string, type?: HintType) {
	// Older versions of n8n have no hints.
	if (!('addExecutionHints' in context)) return;
	context.addExecutionHints({ message, ...(type ? { type } : {}), location: 'outputPane' });
}

/** The hints that n8n shows above a run's output, in the order in which they were added. */
export class Hints {
	/** By what is said: HTML, or text if it has lines. */
	private readonly all = new Map<string, { type?: HintType; lines: string[] }>();

	/** Says something, as HTML: once, also if several items have it. */
	say(html: string, type?: HintType) {
		if (!this.all.has(html)) this.all.set(html, { type, lines: [] });
	}

	/** Says the same message, as text, of several items: once, with a line for each. */
	add(message: string, line: string, type: HintType) {
		const said = this.all.get(message) ?? { type, lines: [] };
		said.lines.push(line);
		this.all.set(message, said);
	}

	show(context: IExecuteFunctions) {
		for (const [text, { type, lines }] of this.all) {
			addHint(context, lines.length > 0 ? withLines(text, lines) : text, type);
		}
	}
}

/** A message, as text, with a line for each of what it is about. */
export function withLines(message: string, lines: string[]): string {
	const more = lines.length - LISTED_ITEMS;
	const listed = lines.slice(0, LISTED_ITEMS);
	if (more > 0) listed.push(`and ${more} more`);
	return [message, ...listed].map(escaped).join('<br>');
}
