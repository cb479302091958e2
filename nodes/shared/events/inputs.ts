import type { INodePropertyOptions } from 'n8n-workflow';

import type { Context } from '../api/exchange';
import { flag, input, multiChoice, type Extras } from '../n8n/input';
import { Refusal } from '../n8n/refusal';
import { listOfTexts } from '../n8n/values';
import { additions, checkParts } from './additions';
import { readFilters, type Selection } from './filters';
import { ANY_EVENT } from './names';

export function eventsInput(options: INodePropertyOptions[]) {
	return multiChoice('Events', options, listOfTexts, { required: true });
}

/** A switch that has its default if an expression returns neither true nor false: that must not cost the event. */
export function lenientFlag(displayName: string, isOn: boolean, extras: Extras) {
	const { property, schema } = flag(displayName, isOn, extras);
	return input(property, schema.catch(isOn));
}

export const output = {
	enrich: additions,
	simple: lenientFlag('Simplify', true, {
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
};

export const includeSigningLinks = lenientFlag('Include Signing Links', false, {
	description:
		"Whether to add the link to each recipient's signing page. Anyone who has such a link can sign.",
});

export const withoutMissing = lenientFlag('Continue Without What Is Missing', false, {
	description:
		'Whether to go on if something under Add to Output cannot be fetched, and list it under <code>missing</code>. Otherwise, the execution fails, and a retry in n8n fetches it again.',
});

export function entered(context: Context, name: string): unknown {
	return 'getInputData' in context
		? context.getNodeParameter(name, 0, null)
		: context.getNodeParameter(name, null);
}

/** The settings of the output that both triggers have. */
export function readOutput(
	context: Context,
	options: { includeSigningLinks?: boolean; withoutMissing?: boolean },
) {
	return {
		simple: output.simple.schema.parse(entered(context, 'simple')),
		parts: output.enrich.schema.parse(entered(context, 'enrich')),
		withSigningLinks: options.includeSigningLinks ?? false,
		withoutMissing: options.withoutMissing ?? false,
	};
}

/** Throws a Refusal that names what cannot be used. */
export function readSelection(events: unknown, filters: unknown): Selection {
	const names = listOfTexts.safeParse(events);
	if (names.success) return { events: names.data, filters: readFilters(filters) };
	throw new Refusal(
		"'Events' is not a list of events",
		'Select the events that start the workflow.',
	);
}

interface Settings {
	selection: () => Selection;
	parts: string[];
}

/**
 * What the user selected. Before the workflow is published, refuses what is no event, and what cannot be added. Documenso may
 * have more events than the node knows.
 */
export function checkedSelection({ selection, parts }: Settings): Selection {
	const selected = selection();
	const isEvent = (name: string) => name === ANY_EVENT || /^[A-Z]+(_[A-Z]+)+$/.test(name);
	const wrong = selected.events.filter((name) => !isEvent(name));
	if (wrong.length > 0) {
		throw new Refusal(
			`'Events' has "${wrong.join('", "')}", which is no event of Documenso`,
			'Events are called like DOCUMENT_COMPLETED; * stands for all.',
		);
	}
	checkParts(parts);
	return selected;
}
