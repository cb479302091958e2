import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import {
	choice,
	collection,
	input,
	multiChoice,
	notice,
	shownFor,
} from '../Documenso/engine/input';
import { between } from '../Documenso/engine/values';
import { FILLED_VALUES, SIGNED_FILES } from '../Documenso/inputs/parts';
import { filters } from '../events/filters';
import { eventsInput, includeSigningLinks, lenientFlag, simple } from '../events/inputs';
import { ANY_EVENT, EVENTS } from '../events/names';

const PARTS = [
	{
		name: 'Audit Log',
		value: 'auditLog',
		description: "The PDF of a completed document's audit log, in the binary field 'auditLog'",
	},
	{
		name: 'Certificate',
		value: 'certificate',
		description: "The PDF of a completed document's certificate, in the binary field 'certificate'",
	},
	{
		name: 'Document Details',
		value: 'details',
		description: "Everything Documenso has on the document, under 'details'",
	},
	FILLED_VALUES,
	SIGNED_FILES,
] as const;

export type Part = (typeof PARTS)[number]['value'];

export function labelOf(part: Part): string {
	return PARTS.find(({ value }) => value === part)?.name ?? part;
}

/**
 * A setting that cannot be used must not cost a delivery, so each has a fallback. Only events and filters have none: the
 * workflow cannot be published before they can be used.
 */
export const inputs = {
	registration: choice(
		'Registration',
		[
			{
				name: 'Manual',
				value: 'manual',
				description: 'You paste the webhook URL into Documenso, and deliveries carry a secret',
			},
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'The node registers webhooks with the API token when you publish the workflow',
			},
		],
		{ default: 'manual', description: 'How Documenso learns where to send events' },
	),
	...shownFor('registration', ['manual'], {
		setUpNotice: notice(
			"In Documenso, open <b>Team Settings > Webhooks</b>, create a webhook, and paste this node's <b>Production URL</b> (not its Test URL) from <b>Webhook URLs</b> above. Select the same events there, and enter the <b>Webhook Secret</b> of the credential as its secret. Then <b>publish</b> this workflow: before that, n8n answers 404.",
		),
	}),
	...shownFor('registration', ['automatic'], {
		automaticNotice: notice(
			"Uses an undocumented part of Documenso's API that <b>may be removed on 1 March 2027</b>; then set Registration to Manual. It needs the API token of a team's admin or manager, and Documenso must be able to reach n8n. Deliveries carry no secret. Instead, the URL contains a key, and the node looks each document up in Documenso before it starts the workflow.",
		),
	}),
	events: eventsInput([
		{
			name: '* (All Events)',
			value: ANY_EVENT,
			description: 'Every event, including those that Documenso adds later',
		},
		...EVENTS,
	]),
	filters,
	enrich: multiChoice(
		'Add to Output',
		[...PARTS],
		z.array(z.custom<Part>((part) => PARTS.some(({ value }) => value === part))).catch([]),
		{
			description:
				'What to fetch from Documenso before the workflow starts. Files are available for Document Completed. What cannot be fetched is listed under <code>missing</code>.',
		},
	),
	simple,
	options: collection(
		'Options',
		{
			acceptUnverified: lenientFlag('Accept Unverified Deliveries', {
				displayOptions: { show: { '/registration': ['manual'] } },
				description:
					'Whether to run without a webhook secret in the credential. Anyone who knows the URL can then start this workflow.',
			}),
			repetitionWindow: input(
				{
					displayName: 'Ignore Duplicates For (Minutes)',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 60,
					description:
						'How long to ignore duplicate deliveries. Documenso retries failed deliveries. Use 0 to start the workflow for every delivery.',
				},
				between(0, Infinity).catch(60),
			),
			includeSigningLinks,
			fetchingTime: input(
				{
					displayName: 'Time for Fetching (Seconds)',
					type: 'number',
					typeOptions: { minValue: 1, maxValue: 8 },
					default: 6,
					description:
						'Max time to spend on fetching. Documenso gives up on a delivery after 10 seconds, and retries it.',
				},
				between(0.1, Infinity).catch(6),
			),
		},
		{ placeholder: 'Add option' },
	),
};

/** Documenso gives up after 10 seconds, and starting an execution takes some of them. */
const MAX_FETCHING_SECONDS = 8;

export type Settings = ReturnType<typeof readSettings>;

/** Reads all settings once for a delivery; it never fails. */
export function readSettings(context: IHookFunctions | IWebhookFunctions) {
	const entered = (name: keyof typeof inputs): unknown => context.getNodeParameter(name, null);
	const {
		acceptUnverified = false,
		repetitionWindow = 60,
		includeSigningLinks: withSigningLinks = false,
		fetchingTime = 6,
	} = inputs.options.schema.parse(entered('options'));
	return {
		/** Whether the node registers its webhooks itself. */
		isAutomatic: entered('registration') === 'automatic',
		acceptsUnverified: acceptUnverified,
		/** Left as entered until a delivery is authentic: nobody else may run into an error about it. */
		selection: { events: entered('events'), filters: entered('filters') },
		deduplicationMs: repetitionWindow * 60_000,
		simple: inputs.simple.schema.catch(true).parse(entered('simple')),
		parts: inputs.enrich.schema.parse(entered('enrich')),
		withSigningLinks,
		/** Whole milliseconds: Node's timers of abort signals refuse fractions. */
		fetchingMs: Math.ceil(Math.min(fetchingTime, MAX_FETCHING_SECONDS) * 1000),
	};
}
