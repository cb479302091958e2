import type { IExecuteFunctions, INodePropertyOptions, IPollFunctions } from 'n8n-workflow';

import { collection } from '../Documenso/engine/collections';
import { additions } from '../events/additions';
import { filters } from '../events/filters';
import {
	eventsInput,
	includeSigningLinks,
	readSelection,
	simple,
	withoutMissing,
} from '../events/inputs';
import { EVENTS } from '../events/names';
import { STEPS } from '../polls/steps';

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
export function readSettings(context: IExecuteFunctions | IPollFunctions) {
	const entered = (name: keyof typeof inputs): unknown =>
		'getInputData' in context
			? context.getNodeParameter(name, 0, null)
			: context.getNodeParameter(name, null);
	const options = inputs.options.schema.parse(entered('options'));
	return {
		selection: readSelection({ events: entered('events'), filters: entered('filters') }),
		simple: inputs.simple.schema.catch(true).parse(entered('simple')),
		parts: inputs.enrich.schema.parse(entered('enrich')),
		withSigningLinks: options.includeSigningLinks ?? false,
		withoutMissing: options.withoutMissing ?? false,
	};
}
