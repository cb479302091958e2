import type { Listed } from '../api/envelope';
import { addHint } from '../engine/hint';
import { escaped } from '../engine/nodeError';
import type { Planned } from '../engine/planned';
import { isFor, type NewDocument } from './newDocument';

/** How many items a hint lists. */
const LISTED_ITEMS = 10;
/** How many names a hint lists. */
const LISTED_NAMES = 20;

const ENDED = ['REJECTED', 'CANCELLED'];

/**
 * Says how many of the `total` items have their documents already, or lists those whose document is for other people, or
 * ended without signatures: with Skip, only the external ID decides.
 */
export function tellExisting(
	plans: Array<Planned<NewDocument> & { existing: Listed }>,
	total: number,
) {
	const lines = plans.flatMap(({ item, plan, existing: { id, recipients, status } }) => {
		if (ENDED.includes(status)) return [`Item ${item.index}: ${id} was ${status.toLowerCase()}`];
		if (isFor(recipients, plan)) return [];
		const others = recipients.map(({ email }) => email).join(', ') || 'nobody';
		return [`Item ${item.index}: ${id} is for ${others}, not for ${plan.emails.join(', ')}`];
	});
	if (lines.length === 0) {
		if (plans.length > 0) tell(plans, existingPart(plans.length, total), 'info');
		return;
	}
	const more = lines.length - LISTED_ITEMS;
	const message = [
		'For these items nothing was created: a document with the External ID exists already, but it is for other recipients, or was rejected or cancelled. If the recipients of these items should get a document too, give the items another External ID.',
		...lines.slice(0, LISTED_ITEMS).map(escaped),
		...(more > 0 ? [`and ${more} more`] : []),
	].join('<br>');
	tell(plans, message, 'warning');
}

/** Lists the fields that stay blank in any document. */
export function tellLeftBlank(plans: Array<Planned<NewDocument>>) {
	const all = plans.flatMap(({ plan }) => plan.leftBlank ?? []);
	const fields = new Set(all.flatMap((one) => one.fields));
	if (fields.size === 0) return;
	const columns = new Set(all.flatMap((one) => one.columns));
	const left = `Left for the recipients to fill in: ${inBrief([...fields])}.`;
	const others = `Columns that match nothing in the template: ${inBrief([...columns])}.`;
	tell(plans, columns.size > 0 ? `${left} ${others}` : left, 'info');
}

function existingPart(count: number, total: number): string {
	const which = count === total ? 'Each item has' : `${count} of ${total} items have`;
	return `${which} a document already, found by its External ID. Nothing was created for ${count === 1 ? 'it' : 'them'}.`;
}

function tell([first]: Array<Planned<NewDocument>>, message: string, type: 'info' | 'warning') {
	if (first) addHint(first.item.context, message, type);
}

function inBrief(names: string[]): string {
	const more = names.length - LISTED_NAMES;
	const list = names.slice(0, LISTED_NAMES).map(escaped).join(', ');
	return more > 0 ? `${list} and ${more} more` : list;
}
