import type { Context } from '../shared/api/exchange';
import { collection } from '../shared/n8n/collections';
import { choice, input, notice, shownFor } from '../shared/n8n/input';
import { between } from '../shared/n8n/values';
import { filters } from '../shared/events/filters';
import {
	entered,
	eventsInput,
	includeSigningLinks,
	lenientFlag,
	output,
	readOutput,
	readSelection,
	withoutMissing,
} from '../shared/events/inputs';
import { ANY_EVENT, EVENTS } from '../shared/events/names';

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
			"First <b>publish</b> this workflow: before that, n8n answers 404. Then open <b>Team Settings > Webhooks</b> in Documenso, create a webhook, and paste this node's <b>Production URL</b> from <b>Webhook URLs</b> above. Select the same events there, and enter the <b>Webhook Secret</b> of the credential as its secret. <b>Execute step</b> listens for two minutes at the <b>Test URL</b>: create a second webhook with that, send a document, and delete the webhook afterwards.",
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
	missedEvents: choice(
		'Missed Events',
		[
			{
				name: 'Find Them',
				value: 'find',
				description:
					'Looks for events that no delivery has brought, and starts the workflow for them',
			},
			{ name: 'Off', value: 'off', description: 'Only deliveries start the workflow' },
		],
		{
			default: 'find',
			description:
				'What to do about events that Documenso could not deliver. Reminders and events of templates cannot be found.',
		},
	),
	...output,
	options: collection(
		'Options',
		{
			acceptUnverified: lenientFlag('Accept Unverified Deliveries', false, {
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
						'How long to ignore duplicate deliveries, at least. Documenso retries failed deliveries. Use 0 to start the workflow for every delivery.',
				},
				between(0, Infinity).catch(60),
			),
			includeSigningLinks,
			checkShare: input(
				{
					displayName: 'Rate Limit for Missed Events (%)',
					type: 'number',
					typeOptions: { minValue: 0.1, maxValue: 50, numberPrecision: 1 },
					default: 1,
					description:
						"How much of Documenso's rate limit to use for looking for missed events. With more, the node looks more often.",
				},
				between(0.1, 50).catch(1),
			),
			ignoreTests: lenientFlag('Ignore Tests From Documenso', false, {
				description:
					"Whether to start nothing when somebody clicks Test in Documenso's dashboard. A test reaches every webhook of the team that has the event.",
			}),
			withoutMissing,
		},
		{ placeholder: 'Add option' },
	),
};

export type Settings = ReturnType<typeof readSettings>;

/** Reads all settings once for a delivery; it never fails. */
export function readSettings(context: Context) {
	const options = inputs.options.schema.parse(entered(context, 'options'));
	return {
		...readOutput(context, options),
		/** Not read until a delivery is authentic: nobody else may run into an error about it. */
		selection: () => readSelection(entered(context, 'events'), entered(context, 'filters')),
		/** Whether the node registers its webhooks itself. */
		isAutomatic: entered(context, 'registration') === 'automatic',
		acceptsUnverified: options.acceptUnverified ?? false,
		deduplicationMs: (options.repetitionWindow ?? 60) * 60_000,
		ignoresTests: options.ignoreTests ?? false,
		findsMissed: entered(context, 'missedEvents') !== 'off',
		/** The part of Documenso's rate limit that looking for missed events may use. */
		checkShare: (options.checkShare ?? 1) / 100,
	};
}
