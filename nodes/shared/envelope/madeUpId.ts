/** What the external IDs begin with that the node makes up, and those of tests. */
export const OWN = 'n8n:';
export const TEST = 'test:';

/** The execution, when it began, the node, its run and the item. Executions that wait write something behind it. */
const MADE_UP = /^(test:)?n8n:[^:]*:[\da-z]*:[\da-f]{8}:\d+:\d+( |$)/;

/** Whether the node made an external ID up: for a document, or for one of a test. */
export function isMadeUp(externalId: string): boolean {
	return MADE_UP.test(externalId);
}
