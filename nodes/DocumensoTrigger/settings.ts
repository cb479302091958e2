import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { passes, readFilters, type Filters } from '../Documenso/events/filters';
import { trueOrFalse, between } from '../Documenso/engine/values';
import { isSelected, type Delivery } from './delivery';
import type { Part } from './enrichment';

/** What the user set. */
export interface Settings {
	events: string[];
	filters: Filters;
	simple: boolean;
	parts: Part[];
	repetitionWindowMs: number;
	withSigningLinks: boolean;
	/** In seconds. */
	fetchingTime: number;
}

/** Documenso gives up after 10 seconds, and starting an execution takes some of them. */
const MAX_FETCHING_SECONDS = 8;

const optionsSchema = z.object({
	repetitionWindow: between(0, Infinity).catch(60),
	includeSigningLinks: trueOrFalse.catch(false),
	fetchingTime: between(0.1, Infinity).catch(6),
});

/** Throws a Refusal when a filter cannot be used. */
export function readSettings(context: IHookFunctions | IWebhookFunctions): Settings {
	const options = optionsSchema.parse(context.getNodeParameter('options', {}));
	return {
		events: context.getNodeParameter('events', []) as string[],
		filters: readFilters(context.getNodeParameter('filters', {})),
		simple: trueOrFalse.catch(true).parse(context.getNodeParameter('simple', true)),
		parts: context.getNodeParameter('enrich', []) as Part[],
		repetitionWindowMs: options.repetitionWindow * 60_000,
		withSigningLinks: options.includeSigningLinks,
		fetchingTime: Math.min(options.fetchingTime, MAX_FETCHING_SECONDS),
	};
}

export function isAutomatic(context: IHookFunctions | IWebhookFunctions): boolean {
	return context.getNodeParameter('registration', 'manual') === 'automatic';
}

export function isWanted({ event }: Delivery, { events, filters }: Settings): boolean {
	return isSelected(event, events) && passes(event, filters);
}
