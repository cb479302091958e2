import type { Document } from './document';

/**
 * Whether a document belongs to a team of which the token reaches documents. If its team has an email address, lists contain what
 * strangers have sent to it, too, which a token does not reach by the IDs. No endpoint tells a token's team (documenso-api.md:
 * Access).
 */
export function isOwn({ team }: Document, teams: ReadonlySet<number>): boolean {
	return !team || teams.has(team.id);
}

/** The teams of documents that were read by their IDs. */
export function teamsOf(read: Map<string, Document | undefined>): number[] {
	return [...read.values()].flatMap((document) => document?.team?.id ?? []);
}

/** How many documents of a team are tried: any of them may just have been deleted. */
const SAMPLES = 20;

/** IDs of documents that tell, if they are read, which teams the token reaches. */
export function samplesOf(documents: Document[]): string[] {
	const samples = new Map<number, string[]>();
	for (const { id, team } of documents) {
		if (!team) continue;
		const known = samples.get(team.id) ?? [];
		if (known.length < SAMPLES) samples.set(team.id, [...known, id]);
	}
	return [...samples.values()].flat();
}
