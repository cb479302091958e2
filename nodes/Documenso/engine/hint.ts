import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** Shows a message, as HTML, above the node's output in the editor. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type?: NodeExecutionHint['type'],
) {
	// Older versions of n8n have no hints.
	if (!('addExecutionHints' in context)) return;
	context.addExecutionHints({ message, ...(type ? { type } : {}), location: 'outputPane' });
}
