import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { collection } from '../shared/n8n/collections';
import { additions } from '../shared/events/additions';
import { filters } from '../shared/events/filters';
import {
	entered,
	enteredSelection,
	eventsInput,
	includeSigningLinks,
	readCommon,
	readSelection,
	simple,
	withoutMissing,
} from '../shared/events/inputs';
import { EVENTS } from '../shared/events/names';
import { STEPS } from '../shared/polls/document';

export const inputs = {
	events: eventsInput(
		EVENTS.filter(({ value }) => STEPS.some((step) => step === value)).map((event) =>
			event.value === 'DOCUMENT_SENT'
				? { ...event, description: 'Sent to its recipients for the first time' }
				: event,
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
export function readSettings(context: IExecuteFunctions | IPollFunctions) {
	const options = inputs.options.schema.parse(entered(context, 'options'));
	return {
		...readCommon(context, options),
		selection: readSelection(enteredSelection(context)),
	};
}
