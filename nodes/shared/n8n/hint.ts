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

/** What a run says above its output. */
export class Hints {
	private readonly all: Array<{ html: () => string; type?: HintType }> = [];
	private readonly listed = new Map<string, string[]>();
	private readonly said = new Set<string>();

	/** Says something, as HTML: once, also if several items have it. */
	say(html: string, type?: HintType) {
		if (this.said.has(html)) return;
		this.said.add(html);
		this.all.push({ html: () => html, type });
	}

	sayFirst(html: string, type?: HintType) {
		this.all.unshift({ html: () => html, type });
	}

	/** Says the same message, as text, of several items: once, with a line for each. */
	add(message: string, line: string, type: HintType) {
		const known = this.listed.get(message);
		if (known) {
			known.push(line);
			return;
		}
		const lines = [line];
		this.listed.set(message, lines);
		this.all.push({ html: () => withLines(message, lines), type });
	}

	show(context: IExecuteFunctions) {
		for (const { html, type } of this.all) addHint(context, html(), type);
	}
}

/** A message, as text, with a line for each of what it is about. */
export function withLines(message: string, lines: string[]): string {
	const more = lines.length - LISTED_ITEMS;
	const listed = lines.slice(0, LISTED_ITEMS);
	if (more > 0) listed.push(`and ${more} more`);
	return [message, ...listed].map(escaped).join('<br>');
}
