import { groupedBy } from '../n8n/values';

/** A document of a list, or one that was read. */
interface InTeam {
	id: string;
	team?: { id: number } | null;
}

/**
 * Whether the token can read documents of the document's team. If the token's own team has an email address, lists also contain
 * what strangers have sent to it, and the token cannot read that by ID. No endpoint tells which team is the token's own
 * (documenso-api.md: Access).
 */
export function isOwn({ team }: Pick<InTeam, 'team'>, teams: ReadonlySet<number>): boolean {
	return !team || teams.has(team.id);
}

/** The teams of documents that were read by their IDs. */
export function teamsOf(read: Map<string, Pick<InTeam, 'team'> | undefined>): number[] {
	return [...read.values()].flatMap((document) => document?.team?.id ?? []);
}

/** How many documents of a team are tried: any of them may just have been deleted. */
const SAMPLES = 20;

/** IDs of documents that tell, if they are read, which teams the token reaches. */
export function samplesOf(documents: InTeam[]): string[] {
	const inTeams = documents.filter(({ team }) => team);
	const byTeam = groupedBy(inTeams, ({ team }) => team?.id);
	return [...byTeam.values()].flatMap((all) => all.slice(0, SAMPLES).map(({ id }) => id));
}
