import { endedUnsigned } from '../../shared/api/lifecycle';
import { parse } from '../../shared/api/records';
import { filledSchema } from '../../shared/envelope/filledValues';
import { whoActed } from '../envelope/acted';
import { differentDraft, notReplaceable, unapprovedReplacement } from './existingMessages';
import type { Existing, NewDocument } from './newDocument';
import type { Creation } from './state';

type Judging = Pick<Creation, 'document' | 'item' | 'outdated'>;

/**
 * Whether a document must give way to the one that the item asks for, with Replace If Different. Throws if it says
 * something else, but must not be replaced. What has ended without signatures is looked at before another is sent.
 */
export function isOutdated({ document, item, outdated }: Judging, existing: Existing): boolean {
	const { id, status } = existing;
	if (document.ifExternalIdExists !== 'replace' || status === 'DRAFT') return false;
	if (!endedUnsigned(status)) {
		const { differences, doubts } = comparison(document, existing);
		if (differences.length === 0) {
			if (doubts.length > 0) {
				item.execution.hints.add(UNCOMPARED, `${id}: ${doubts.join(', ')}`, 'warning');
			}
			return false;
		}
		const obstacle =
			status === 'COMPLETED' ? 'it is completed' : whoActed(parse(filledSchema, existing));
		if (obstacle !== undefined) throw notReplaceable(document, id, differences, obstacle);
		if (document.wasPreviewed?.(existing) === false) {
			throw unapprovedReplacement(document, id, differences);
		}
	}
	outdated.set(id, status);
	return true;
}

export function comparison(document: NewDocument, existing: Existing) {
	return document.comparedWith?.(existing) ?? { differences: [], doubts: [] };
}

const UNCOMPARED =
	"These documents were not replaced, but not everything in them could be compared: the template or the document was edited since. 'Template: Check Documents' says more.";

/** Another one was sent by hand, or in a run without Replace If Different. */
export function tellLeft({ item, outdated }: Judging) {
	for (const [id, status] of outdated) {
		if (status === 'PENDING') item.execution.hints.add(LEFT, id, 'warning');
	}
}

const LEFT =
	"These older documents differ from their items, and still wait for signatures although newer ones were sent. Cancel them with 'Document: Cancel':";

/** The first of these documents that does not give way, and is there: a list may show what is gone. */
export async function firstCounting(
	creation: Judging,
	found: Array<{ id: string }>,
	read: (id: string) => Promise<Existing | undefined>,
): Promise<Existing | undefined> {
	for (const { id } of found) {
		const one = await read(id);
		if (one && !isOutdated(creation, one)) return one;
	}
	return undefined;
}

/** Whether a document holds what the item asks for, as far as that decides anything. */
export function saysTheSame({ document }: Pick<Creation, 'document'>, existing: Existing): boolean {
	if (document.ifExternalIdExists !== 'replace') return true;
	return comparison(document, existing).differences.length === 0;
}

/** A draft that says something else may be a person's, or hold what was corrected since. */
export function checkDraft(
	{ document, item }: Pick<Creation, 'document' | 'item'>,
	draft: Existing,
	{ isOwn = false, isNew = false } = {},
) {
	if (document.sending === 'no' || draft.status !== 'DRAFT' || isNew) return;
	const { ifExternalIdExists } = document;
	const isReplacing = ifExternalIdExists === 'replace';
	// What an item asks for changes between executions only. With Skip, the External ID alone decides about a draft of others.
	const isDoubtful = isOwn ? item.execution.progress.isRetry : ifExternalIdExists === 'skipSame';
	if (!isReplacing && !isDoubtful) return;
	// Nobody has seen it: what cannot be compared must not be sent either.
	const compared = comparison(document, draft);
	if (compared.differences.length + compared.doubts.length > 0) {
		throw differentDraft(document, { id: draft.id, isOwn }, compared);
	}
}
