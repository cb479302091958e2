import { z } from 'zod';

import { numberIn } from '../api/envelope';
import { acts, hasRejected, hasToAct } from '../api/lifecycle';
import { anyOf } from '../n8n/collections';
import { flag, input, multiChoice, propertiesOf, textOf } from '../n8n/input';
import { inPlainWords, namedFaultIn } from '../n8n/inputFaults';
import { Refusal } from '../n8n/refusal';
import { filledText } from '../n8n/values';
import { withoutMarkers } from '../envelope/marker';
import { templateNumber } from '../inputs/locators';
import { SOURCES } from '../inputs/optionLists';
import { isAboutTemplate, type DocumensoEvent } from './event';
import { ANY_EVENT } from './names';
import type { Subject } from './subject';
import { compared, textCondition } from './textCondition';

const conditions = {
	externalId: textCondition('External ID', 'e.g. crm-1042'),
	lastRecipientOnly: flag('Only When All Acted', false, {
		description:
			'Whether to skip events of documents that someone still has to sign, approve or view. Rejected documents are not skipped.',
	}),
	recipientEmail: textOf('Recipient Email', filledText(), {
		placeholder: 'e.g. tenant@example.com',
		description: 'Only documents with this address among their recipients',
	}),
	source: multiChoice('Source', SOURCES, z.array(z.string()).min(1, 'is empty'), {
		description: 'What the document was created from',
	}),
	template: templateNumber(
		'Only documents created from this template, and in the Documenso Trigger, events of the template itself',
	),
	title: textCondition('Title', 'e.g. Rental agreement'),
};

/** Unlike other collections, this one refuses a condition that was left empty: without it, other events would pass. */
export const filters = input(
	{
		displayName: 'Filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: propertiesOf(conditions),
	},
	z.preprocess(withNulls, anyOf(conditions)),
);

/** Otherwise a condition whose expression gives nothing would count as not added. */
function withNulls(value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, one ?? null]));
}

type Filters = z.infer<typeof filters.schema>;

/** Throws a Refusal that names the filter that cannot be used. */
export function readFilters(value: unknown): Filters {
	const result = filters.schema.safeParse(value ?? {}, { errorMap: inPlainWords });
	if (result.success) return result.data;
	throw new Refusal(
		namedFaultIn(result.error, filters.property),
		'Correct the filter, or remove it.',
	);
}

/** What the user wants to hear of. */
export interface Selection {
	events: string[];
	filters: Filters;
}

/** What decides whether a user wants to hear of an event. */
type About = Pick<DocumensoEvent, 'name' | 'asItWas'>;

export function isSelected(event: About, { events, filters }: Selection): boolean {
	return (events.includes(ANY_EVENT) || events.includes(event.name)) && passes(event, filters);
}

export function passes({ name, asItWas: subject }: About, filters: Filters): boolean {
	const { externalId, lastRecipientOnly, recipientEmail, source, template, title } = filters;
	const number = isAboutTemplate(name) ? numberIn(subject.secondaryId) : subject.templateId;
	return (
		(template === undefined || template === number) &&
		(title?.(subject.title) ?? true) &&
		(externalId?.(withoutMarkers(subject.externalId) ?? '') ?? true) &&
		(recipientEmail === undefined || isRecipient(recipientEmail, subject)) &&
		(source?.includes(subject.source ?? '') ?? true) &&
		(lastRecipientOnly !== true || haveAllActed(subject))
	);
}

function isRecipient(wanted: string, { recipients }: Subject): boolean {
	return recipients.some(({ email }) => compared(email) === compared(wanted));
}

/** After a rejection nobody can act any more. A document that only has CC recipients is completed by sending it. */
function haveAllActed({ status, recipients }: Subject): boolean {
	if (!recipients.some(acts)) return status === 'COMPLETED';
	return recipients.some(hasRejected) || !recipients.some(hasToAct);
}
