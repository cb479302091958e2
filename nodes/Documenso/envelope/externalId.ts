import type { Listed } from '../api/envelope';
import type { Item } from '../engine/item';

/**
 * An external ID and where it comes from: `chosen` by the user, `inherited` from the template, or the node's `own`,
 * which no other document has.
 */
export interface ExternalId {
	value: string;
	source: 'chosen' | 'inherited' | 'own';
	/** The part that it shares with those of the item's other tries, in a retry of an execution too. */
	common: string;
}

const OWN = 'n8n:';

/** The external ID of an item's document. */
export function externalIdOf(
	{ execution: { context, progress }, index, progress: before }: Item,
	chosen?: string | null,
	inherited?: string | null,
): ExternalId {
	// A retry may be another execution, and an expression may give it another ID.
	const begun = 'externalId' in before ? before.externalId : undefined;
	// A template may have blanks around it, which Documenso strips from a document's.
	const given = chosen ? chosen : inherited?.trim();
	if (given) {
		const value = begun ?? given;
		return { value, source: chosen ? 'chosen' : 'inherited', common: value };
	}
	const node = context.getNode().id.slice(0, 8);
	const place = `:${node}:${progress.run}:${index}`;
	// Several executions may begin in the same millisecond.
	const since = `:${progress.begunAt.toString(36)}${place}`;
	const value = begun ?? `${OWN}${context.getExecutionId()}${since}`;
	const common = { nothing: value, another: since, blindly: place }[progress.retries];
	return { value, source: 'own', common };
}

/** Whether a document has the external ID, or one that another try made up for the same item. */
export function hasExternalId({ externalId }: Listed, { value, source, common }: ExternalId) {
	const id = externalId?.trim() ?? '';
	return id === value || (source === 'own' && id.startsWith(OWN) && id.endsWith(common));
}

/** The same for all external IDs that `hasExternalId` takes for the same. */
export function keyOf(id: string): string {
	return id.startsWith(OWN) ? id.split(':').slice(-3).join(':') : id.trim();
}
