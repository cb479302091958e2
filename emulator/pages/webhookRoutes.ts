import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../errors';
import { WEBHOOK_EVENTS } from '../webhooks/events';
import type { PageOptions } from './pages';
import { sendPage } from './send';
import { webhooksPage } from './webhooksPage';

const PATH = '/t/:team/settings/webhooks';

const input = z.object({
	url: z
		.string()
		.url('Enter the whole URL, with http:// or https://.')
		.regex(/^https?:/, 'Enter a URL with http:// or https://.'),
	events: z.array(z.enum(WEBHOOK_EVENTS)).min(1, 'Choose at least one event.'),
	secret: z.string().transform((secret) => secret || undefined),
});

type Team = { Params: { team: string } };

/** Registers and deletes webhooks by hand, as people do in the service. */
export function webhookRoutes(scope: FastifyInstance, { instance, webhooks }: PageOptions): void {
	// Without a host: the page may be open at any name of this computer, and may post only to the same one.
	const pathOf = (team: string): string =>
		new URL(`${instance.baseUrl()}/t/${encodeURIComponent(team)}/settings/webhooks`).pathname;

	scope.get<Team>(
		PATH,
		async ({ params }, reply) =>
			await sendPage(reply, webhooksPage(instance, webhooks.list(), pathOf(params.team))),
	);

	scope.post<Team>(PATH, async ({ params, body }, reply) => {
		const path = pathOf(params.team);
		const form = readForm(String(body));
		const parsed = input.safeParse(form);
		if (!parsed.success) {
			const problem = parsed.error.issues[0]?.message;
			const again = webhooksPage(instance, webhooks.list(), path, form, problem);
			return await sendPage(reply.code(400), again);
		}
		webhooks.add(parsed.data);
		// Reloading the page after it must not register the webhook again.
		return await reply.redirect(path, 303);
	});

	scope.post<{ Params: { team: string; id: string } }>(
		`${PATH}/:id/delete`,
		async ({ params }, reply) => {
			const webhook = webhooks.list().find(({ id }) => id === params.id);
			if (!webhook) throw notFound('There is no such webhook; it may have been deleted already');
			webhooks.remove(webhook);
			return await reply.redirect(pathOf(params.team), 303);
		},
	);
}

function readForm(body: string) {
	const form = new URLSearchParams(body);
	return {
		url: (form.get('url') ?? '').trim(),
		secret: form.get('secret') ?? '',
		events: form.getAll('events'),
	};
}
