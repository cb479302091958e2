import type { Document } from './document';

/**
 * If the token's team has an email address, lists contain what anybody has sent to it. A token does not reach these documents by
 * their IDs, and no endpoint tells its team (documenso-api.md: Access).
 */
export function withoutStrangers(
	listed: Map<string, Document>,
	teams: ReadonlySet<number>,
): Map<string, Document> {
	return new Map([...listed].filter(([, { team }]) => !team || teams.has(team.id)));
}

/** The teams of documents that were read by their IDs. */
export function teamsOf(read: Map<string, Document | undefined>): number[] {
	return [...read.values()].flatMap((document) => document?.team?.id ?? []);
}

/** How many documents of a team are tried: any of them may just have been deleted. */
const SAMPLES = 20;

/** IDs of documents that tell, if they are read, which teams the token reaches. */
export function samplesOf(listed: Map<string, Document>): string[] {
	const samples = new Map<number, string[]>();
	for (const { id, team } of listed.values()) {
		if (!team) continue;
		const known = samples.get(team.id) ?? [];
		if (known.length < SAMPLES) samples.set(team.id, [...known, id]);
	}
	return [...samples.values()].flat();
}
