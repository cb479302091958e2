import { Turns } from '../api/turns';
import type { FailedItem } from '../engine/nodeError';
import { inOrderOfWeight, LookUps } from './lookUps';
import {
	earlierWithSameId,
	type Existing,
	type NewDocument,
	type PlannedDocument,
} from './newDocument';
import { checkExisting } from './state';

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
	const sameAs = earlierWithSameId(plans);
	const unique = plans.filter(
		({ item, plan }) => plan.ifExternalIdExists !== 'create' && !sameAs.has(item.index),
	);
	const lookUps = new LookUps(anyItem.client, anyItem.execution.process);
	const failed: FailedItem[] = [];
	const existing = new Map<number, Existing>();
	if (unique.length === 0) return { failed, existing, sameAs };
	const found = await lookUps.everywhere(unique.map(({ plan }) => plan.externalId));
	const candidates = unique.map(({ plan }) => inOrderOfWeight(found.with(plan.externalId)));
	const firstOf = await lookUps.readFirst(candidates);
	const turns = new Turns();
	for (const [index, { item, plan }] of unique.entries()) {
		await turns.next();
		try {
			const envelope = await firstOf(candidates[index] ?? []);
			if (!envelope) continue;
			checkExisting({ document: plan, item }, envelope);
			existing.set(item.index, envelope);
		} catch (caught) {
			failed.push({ item: item.index, caught });
		}
	}
	return { failed, existing, sameAs };
}

/** What becomes of an item that is not refused. */
export function actionFor(index: number, { sending }: NewDocument, foreseen: Foreseen): Action {
	const status = foreseen.existing.get(index)?.status;
	const isThere = status !== undefined && (status !== 'DRAFT' || sending === 'no');
	if (isThere || foreseen.sameAs.has(index)) return 'skip';
	return sending === 'no' ? 'createDraft' : 'send';
}
