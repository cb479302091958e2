import type { FailedItem } from '../engine/nodeError';
import type { Listed } from '../api/envelope';
import { Turns } from '../api/turns';
import { inOrderOfWeight } from './choice';
import { firstOfEach, type PlannedDocument } from './expedition';
import { LookUps } from './look';
import type { Existing, NewDocument } from './newDocument';
import { checkExisting, readIfThere } from './state';

/** What creating would find for items that were not worked on before. */
export interface Foreseen {
	failed: FailedItem[];
	/** By the items' indexes: the documents that they have already. */
	existing: ReadonlyMap<number, Existing>;
	/** By the items' indexes: the item before it that has the same external ID. */
	sameAs: ReadonlyMap<number, number>;
}

/** What becomes of an item's document. */
export type Action = 'createDraft' | 'refuse' | 'send' | 'skip';

/** Looks for existing documents with the same requests as creating, and changes nothing. */
export async function foresee(plans: PlannedDocument[]): Promise<Foreseen> {
	const [{ item: anyItem }] = plans as [PlannedDocument];
	const first = firstOfEach(plans);
	const unique = [...first.values()].reverse();
	const lookUps = new LookUps(anyItem.client, anyItem.execution.process);
	const found =
		unique.length > 0
			? await lookUps.everywhere(unique.map(({ plan }) => plan.externalId))
			: undefined;
	const candidates = new Map<PlannedDocument, Listed[]>();
	for (const one of unique) {
		candidates.set(one, inOrderOfWeight(found?.with(one.plan.externalId) ?? []));
	}
	const read = await lookUps.read([...candidates.values()].flatMap(([one]) => one?.id ?? []));
	const existing = new Map<number, Existing>();
	const failed: FailedItem[] = [];
	const turns = new Turns();
	for (const [{ item, plan }, all] of candidates) {
		await turns.next();
		try {
			for (const { id } of all) {
				// A list may show what is gone.
				const envelope = read.get(id) ?? (await readIfThere(item, id));
				if (!envelope) continue;
				checkExisting({ document: plan, item }, envelope);
				existing.set(item.index, envelope);
				break;
			}
		} catch (caught) {
			failed.push({ item: item.index, caught });
		}
	}
	const sameAs = plans.flatMap(({ item, plan }): Array<[number, number]> => {
		const by = first.get(plan.externalId.value)?.item.index ?? item.index;
		return plan.ifExternalIdExists !== 'create' && by !== item.index ? [[item.index, by]] : [];
	});
	return { failed, existing, sameAs: new Map(sameAs) };
}

/** What becomes of an item that is not refused. */
export function actionFor(index: number, { sending }: NewDocument, foreseen: Foreseen): Action {
	const status = foreseen.existing.get(index)?.status;
	const isThere = status !== undefined && (status !== 'DRAFT' || sending === 'no');
	if (isThere || foreseen.sameAs.has(index)) return 'skip';
	return sending === 'no' ? 'createDraft' : 'send';
}
