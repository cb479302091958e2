import type { INodePropertyOptions } from 'n8n-workflow';

import type { Context } from '../shared/api/exchange';
import { collection } from '../shared/n8n/collections';
import { filters } from '../shared/events/filters';
import {
	entered,
	eventsInput,
	includeSigningLinks,
	output,
	readOutput,
	readSelection,
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
	...output,
	options: collection(
		'Options',
		{ withoutMissing, includeSigningLinks },
		{ placeholder: 'Add option' },
	),
};

export type Settings = ReturnType<typeof readSettings>;

export function readSettings(context: Context) {
	return {
		...readOutput(context, inputs.options.schema.parse(entered(context, 'options'))),
		selection: () => readSelection(entered(context, 'events'), entered(context, 'filters')),
	};
}
