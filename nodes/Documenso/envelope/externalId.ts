import type { Listed } from '../api/envelope';
import type { Item } from '../engine/item';
import { withoutMarkers } from '../waiting/marker';

/**
 * An external ID and where it comes from: `chosen` by the user, `inherited` from the template, or the node's `own`,
 * which no other document has.
 */
export interface ExternalId {
	value: string;
	source: 'chosen' | 'inherited' | 'own';
	/** A part of it that leads to what other tries created for the item, too. */
	search: string;
	/** The end that all IDs have in common that the node made up for the item, one in each try. */
	ending?: string;
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
		return { value, source: chosen ? 'chosen' : 'inherited', search: value };
	}
	const begunAt = progress.begunAt.toString(36);
	const run = `:${progress.node}:${progress.run}:`;
	// The execution is named, too, because several may begin in the same millisecond.
	const value = begun ?? `${OWN}${context.getExecutionId()}:${begunAt}${run}${index}`;
	const others = {
		nothing: { search: value },
		another: { search: `:${begunAt}${run}`, ending: `:${begunAt}${run}${index}` },
		blindly: { search: `${run}${index}`, ending: `${run}${index}` },
	}[progress.retries];
	return { value, source: 'own', ...others };
}

/** Whether a document has the external ID, or one that another try made up for the same item. */
export function hasExternalId({ externalId }: Listed, { value, ending }: ExternalId): boolean {
	const id = withoutMarkers(externalId)?.trim() ?? '';
	return id === value || (ending !== undefined && id.startsWith(OWN) && id.endsWith(ending));
}

/** Whether the execution that this one retries made up a document's external ID for any of the items of this run. */
export function isOfRetried({ externalId }: Listed, { search, ending }: ExternalId): boolean {
	const isOwn = ending !== undefined && ending !== search;
	return isOwn && externalId?.startsWith(OWN) === true && externalId.includes(search);
}

/** What external IDs are looked up by: all IDs that `hasExternalId` accepts for an item have the same key. */
export function keyOf(externalId: string): string {
	const id = withoutMarkers(externalId) ?? '';
	return id.startsWith(OWN) ? id.split(':').slice(-3).join(':') : id.trim();
}
