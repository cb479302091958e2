import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../shared/api/clock';
import { HttpClient } from '../shared/api/client';
import { messageOf } from '../shared/api/failure';
import type { Subject } from '../shared/events/subject';
import { isStarting } from './registration';

/** How long publishing a workflow may wait for the list of documents, in milliseconds. */
const TIMEOUT_MS = 3_000;

/** More than one, because the list can contain documents of other teams (documenso-api.md: Access). */
const ROWS = 20;

const teamSchema = z.object({ id: z.number(), url: z.string() });
const documentSchema = z.object({ team: teamSchema.nullish() });
export const teamsSchema = z.object({ data: z.array(documentSchema) });
const storedSchema = z.array(teamSchema.extend({ site: z.string() })).catch([]);

/**
 * Learns the team's URL, which deliveries lack, while a workflow is published, and keeps it with the node. No endpoint
 * tells a token's team, but every document does. Without a document in the root folder, or while Documenso is down, the
 * output has no links until the workflow is published again. It never fails.
 */
export async function learnTeams(context: IHookFunctions): Promise<void> {
	const stored = context.getWorkflowStaticData('node');
	try {
		const client = await HttpClient.of(context, { deadline: clock.timeout(TIMEOUT_MS) });
		const { site } = client;
		const isKnown = storedSchema.parse(stored.teams).some((team) => team.site === site);
		// Nothing has changed when n8n starts, and it starts all workflows then.
		if (isKnown && isStarting(context)) return;
		const { data } = await client.get('/envelope', teamsSchema, { perPage: ROWS });
		const teams = new Map(data.flatMap(({ team }) => (team ? [[team.id, team]] : [])));
		if (teams.size > 0) stored.teams = [...teams.values()].map((team) => ({ ...team, site }));
	} catch (error) {
		const { name } = context.getWorkflow();
		const consequence = 'will lack links to documents until it is published again';
		context.logger.warn(`The output of the workflow '${name}' ${consequence}: ${messageOf(error)}`);
	}
}

/** The stored URL of an event's team. */
export function teamUrlOf(
	context: IWebhookFunctions,
	site: string,
	{ teamId }: Subject,
): string | undefined {
	const { teams } = context.getWorkflowStaticData('node');
	return storedSchema.parse(teams).find((team) => team.id === teamId && team.site === site)?.url;
}
