import type { INodePropertyOptions } from 'n8n-workflow';

import type { Context } from '../shared/api/exchange';
import { collection } from '../shared/n8n/collections';
import { additions } from '../shared/events/additions';
import { filters } from '../shared/events/filters';
import {
	entered,
	eventsInput,
	includeSigningLinks,
	readSelection,
	simple,
	withoutMissing,
} from '../shared/events/inputs';
import { EVENTS } from '../shared/events/names';
import { STEPS } from '../shared/polls/document';

const SENT: INodePropertyOptions = {
	name: 'Document Sent',
	value: 'DOCUMENT_SENT',
	description: 'Sent to its recipients for the first time',
};

export const inputs = {
	events: eventsInput(
		EVENTS.filter(({ value }) => STEPS.some((step) => step === value)).map((event) =>
			event.value === SENT.value ? SENT : event,
		),
	),
	filters,
	enrich: additions,
	simple,
	options: collection(
		'Options',
		{ withoutMissing, includeSigningLinks },
		{ placeholder: 'Add option' },
	),
};

export type Settings = ReturnType<typeof readSettings>;

/** Throws a Refusal when the events or a filter cannot be used. */
export function readSettings(context: Context) {
	const options = inputs.options.schema.parse(entered(context, 'options'));
	return {
		simple: inputs.simple.schema.catch(true).parse(entered(context, 'simple')),
		parts: inputs.enrich.schema.parse(entered(context, 'enrich')),
		selection: readSelection({
			events: entered(context, 'events'),
			filters: entered(context, 'filters'),
		}),
		withSigningLinks: options.includeSigningLinks ?? false,
		withoutMissing: options.withoutMissing ?? false,
	};
}
