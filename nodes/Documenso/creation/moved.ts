import type { Listed } from '../api/envelope';
import type { Planned } from '../engine/planned';
import { isOfRetried, type ExternalId } from './externalId';
import type { Found } from './look';
import { isFor, type NewDocument } from './newDocument';
import type { CreationRun } from './run';

/**
 * What the retried execution created under made-up IDs, and what fits no item in the same place now: a spreadsheet that is
 * read again may have its rows in other places, and a changed workflow may give them other IDs.
 */
export class Moved {
	private readonly byAddress = new Map<string, Listed[]>();

	constructor(
		plans: Array<Planned<NewDocument>>,
		found: Found,
		private readonly run: CreationRun,
	) {
		const [madeUp] = plans.flatMap(({ plan }) => madeUpOf(plan) ?? []);
		if (!madeUp) return;
		const fitting = plans.flatMap(({ plan }) =>
			found.with(plan.externalId).filter(({ recipients }) => isFor(recipients, plan)),
		);
		const placed = new Set(fitting.map(({ id }) => id));
		for (const document of found.all) {
			if (placed.has(document.id) || !isOfRetried(document, madeUp)) continue;
			for (const { email } of document.recipients) {
				const others = this.byAddress.get(email);
				if (others) others.push(document);
				else this.byAddress.set(email, [document]);
			}
		}
	}

	/** Those with the recipients of an item. */
	for({ item, plan }: Planned<NewDocument>): Listed[] {
		if (this.byAddress.size === 0 || !madeUpOf(plan)) return [];
		// Of many items with one recipient in common, the others tell them apart.
		const [fewest = []] = plan.emails
			.map((email) => this.byAddress.get(email.toLowerCase()) ?? [])
			.sort((one, other) => one.length - other.length);
		return fewest.filter(
			({ id, recipients }) => isFor(recipients, plan) && !this.run.isOfAnother(item, id),
		);
	}
}

/** The ID that the node made up for an item, or would have. */
export function madeUpOf({ externalId }: NewDocument): ExternalId | undefined {
	return externalId.source === 'own' ? externalId : externalId.madeUp;
}
