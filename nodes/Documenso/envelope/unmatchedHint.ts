import { escaped } from '../engine/nodeError';
import type { Planned } from '../engine/operation';
import type { NewDocument, Unmatched } from './newDocument';

/** How many names a hint lists. */
const LISTED_NAMES = 20;

/** Lists what could not be matched in any item: a misspelt column leaves a blank in a contract. */
export function tellUnmatched(plans: Array<Planned<{ document: NewDocument }>>) {
	const context = plans[0]?.item.context;
	// Older versions of n8n have no hints.
	if (!context || !('addExecutionHints' in context)) return;
	const all = plans.flatMap(({ plan }) => plan.document.unmatched ?? []);
	const columns = new Map(all.flatMap((one) => one.columns.map((column) => [column.name, column])));
	const fields = new Set(all.flatMap((one) => one.fields));
	if (columns.size === 0 && fields.size === 0) return;
	const parts = [
		...(columns.size > 0 ? [columnsPart([...columns.values()])] : []),
		...(fields.size > 0 ? [`Left for the recipients to fill in: ${listed([...fields])}.`] : []),
	];
	context.addExecutionHints({
		message: parts.join(' '),
		type: columns.size > 0 ? 'warning' : 'info',
		location: 'outputPane',
	});
}

function columnsPart(columns: Unmatched['columns']): string {
	const count = columns.length === 1 ? '1 column' : `${columns.length} columns`;
	const names = columns.map(({ name, meant }) => (meant ? `${name} (${meant}?)` : name));
	return `${count} matched nothing in the template: ${listed(names)}.`;
}

function listed(names: string[]): string {
	const more = names.length - LISTED_NAMES;
	const list = names.slice(0, LISTED_NAMES).map(escaped).join(', ');
	return more > 0 ? `${list} and ${more} more` : list;
}
