import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { EnteredSelection } from '../events/selection';
import { inputs, type Part } from './inputs';

/** What the user set. */
export interface Settings {
	/** Whether the node registers its webhooks itself. */
	isAutomatic: boolean;
	acceptsUnverified: boolean;
	/** Left as entered until a delivery is authentic: nobody else may run into an error about it. */
	selection: EnteredSelection;
	deduplicationMs: number;
	simple: boolean;
	parts: Part[];
	withSigningLinks: boolean;
	fetchingSeconds: number;
}

/** Documenso gives up after 10 seconds, and starting an execution takes some of them. */
const MAX_FETCHING_SECONDS = 8;

/** Reads all settings once for a delivery; it never fails. */
export function readSettings(context: IHookFunctions | IWebhookFunctions): Settings {
	const entered = (name: keyof typeof inputs): unknown => context.getNodeParameter(name, null);
	const {
		acceptUnverified = false,
		repetitionWindow = 60,
		includeSigningLinks = false,
		fetchingTime = 6,
	} = inputs.options.schema.parse(entered('options'));
	return {
		isAutomatic: entered('registration') === 'automatic',
		acceptsUnverified: acceptUnverified,
		selection: { events: entered('events'), filters: entered('filters') },
		deduplicationMs: repetitionWindow * 60_000,
		simple: inputs.simple.schema.catch(true).parse(entered('simple')),
		parts: inputs.enrich.schema.parse(entered('enrich')),
		withSigningLinks: includeSigningLinks,
		fetchingSeconds: Math.min(fetchingTime, MAX_FETCHING_SECONDS),
	};
}
