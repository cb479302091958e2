import type { Listed } from '../../shared/api/envelope';
import { Turns } from '../../shared/api/turns';
import type { FailedItem } from '../../shared/n8n/nodeError';
import type { AtLeastOne } from '../../shared/n8n/values';
import type { Found, Planned } from '../engine/planned';
import { failedBefore } from './messages';
import { firstsByKey, keyOf, type Existing, type NewDocument } from './newDocument';
import { hintAtRemarks } from './remarks';
import { checkDraft, firstCounting } from './outdated';
import { inOrderOfWeight, Search } from './search';
import { checkExisting } from './state';

/** What creating would find for an item that was not worked on before. */
interface Foresight {
	/** The document that it has already. */
	existing?: Existing;
	/** The document that would give way to its own. */
	replaces?: Existing;
	/** The index of the item before it that has the same external ID. */
	sameAs?: number;
}

export type Foreseen<Plan> = Plan & Foresight;

export type Action = 'createDraft' | 'refuse' | 'replace' | 'send' | 'skip';

/** Looks for existing documents with the same requests as creating, and changes nothing. */
export async function foresee<Plan extends { document: NewDocument }>(
	plans: AtLeastOne<Planned<Plan>>,
): Promise<Found<Foreseen<Plan>>> {
	const [{ item: anyItem }] = plans;
	const search = new Search(anyItem.client, anyItem.execution.process);
	const firsts = firstsByKey(plans, ({ document }) => keyOf(document));
	const unique = plans.filter(
		(one) => !firsts.has(one) && one.document.ifExternalIdExists !== 'create',
	);
	const failed: FailedItem[] = [];
	const known = new Map<Planned<Plan>, Foresight>();
	const found = await search.everywhere(unique.map(({ document }) => document.externalId));
	const candidates = unique.map((one) => ({
		one,
		listed: inOrderOfWeight(found.with(one.document.externalId)),
	}));
	const read = await search.readFirst(candidates.map(({ listed }) => listed));
	const turns = new Turns();
	for (const { one, listed } of candidates) {
		await turns.next();
		try {
			const envelope = await firstThere(listed, read);
			if (!envelope) continue;
			const asked = { ...one, outdated: new Map<string, string>() };
			checkExisting(asked, envelope);
			checkDraft(asked, envelope);
			const counting = await firstCounting(asked, listed, read);
			const isReplaced = asked.outdated.size > 0 && counting?.status !== 'PENDING';
			known.set(one, isReplaced ? { replaces: envelope } : { existing: counting ?? envelope });
		} catch (caught) {
			failed.push({ item: one.item.index, caught });
		}
	}
	const refused = new Set(failed.map(({ item }) => item));
	for (const [{ item, document }, { item: first }] of firsts) {
		if (!refused.has(first.index)) continue;
		failed.push({ item: item.index, caught: failedBefore(document, first.index) });
	}
	hintAtRemarks(plans.filter((one) => !known.get(one)?.existing));
	const next = plans.map((one) => ({
		...one,
		...known.get(one),
		sameAs: firsts.get(one)?.item.index,
	}));
	return { next, failed };
}

async function firstThere(
	listed: Listed[],
	read: (id: string) => Promise<Existing | undefined>,
): Promise<Existing | undefined> {
	for (const { id } of listed) {
		const envelope = await read(id);
		if (envelope) return envelope;
	}
	return undefined;
}

/** What becomes of an item that is not refused. */
export function actionFor({
	document: { sending },
	existing,
	replaces,
	sameAs,
}: Foreseen<{ document: NewDocument }>): Action {
	const isThere = existing && (existing.status !== 'DRAFT' || sending === 'no');
	if (isThere || sameAs !== undefined) return 'skip';
	if (replaces) return 'replace';
	return sending === 'no' ? 'createDraft' : 'send';
}
