/** What the external IDs begin with that the node makes up, and those of tests. */
export const OWN = 'n8n:';
export const TEST = 'test:';

/** Whether the node made an external ID up: for a document, or for one of a test. */
export function isMadeUp(externalId: string): boolean {
	return externalId.startsWith(OWN) || externalId.startsWith(TEST + OWN);
}
