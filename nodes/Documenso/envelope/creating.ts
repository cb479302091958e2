import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { Listed } from '../api/envelope';
import type { Claim } from '../engine/execution';
import type { Inputs, Values } from '../engine/input';
import type { Item } from '../engine/item';
import { planned, type Description, type Operation } from '../engine/operation';
import { Refusal } from '../engine/refusal';
import { createOnce, isFor, outputFor } from './createOnce';
import { distribute } from './distribute';
import { findAnywhere } from './externalId';
import type { NewDocument } from './newDocument';

interface Plan {
	document: NewDocument;
	/** Taken instead of creating another. */
	existing?: Listed;
}

/** Creates a document for each item, once. This is the only path on which documents are created. */
export function creating<I extends Inputs>(
	spec: Omit<Description<I>, 'effect'> & {
		/** Reads and checks everything that the document needs; creates nothing. */
		document(values: Values<I>, item: Item<I>): Promise<NewDocument>;
	},
): Operation {
	return planned({
		...spec,
		// Not 'adds': createOnce itself sees to it that a retry creates nothing twice.
		effect: 'changes',
		plan: async (values: Values<I>, item: Item<I>) =>
			await planFor(item, await spec.document(values, item)),
		perform: async (plan, item) => [{ json: await documentFor(item, plan) }],
	});
}

/** With Skip and Fail, looks for a document that already has the external ID. Fail throws if there is one. */
async function planFor(item: Item, document: NewDocument): Promise<Plan> {
	const { emails, externalId, ifExternalIdExists, sending } = document;
	// What an earlier try created would be found too, and is this item's own.
	if (ifExternalIdExists === 'create' || item.progress.state !== 'new') return { document };
	const { value, source } = externalId;
	if (source !== 'chosen') {
		throw refused("is missing, so 'If External ID Exists' has nothing to look for");
	}
	const first = claim(item, document);
	if (ifExternalIdExists === 'fail' && first.item !== item.index) {
		throw refused(`is "${value}", which item ${first.item} has too`);
	}
	const existing = await findAnywhere(item.client, externalId);
	if (!existing) return { document };
	const { id, status, recipients } = existing;
	if (ifExternalIdExists === 'fail') {
		throw refused(`is "${value}", which the document ${id} (${status}) already has`);
	}
	if (sending !== 'no' && status === 'DRAFT' && !isFor(recipients, document)) {
		const others = recipients.map(({ email }) => email).join(', ') || 'nobody';
		throw refused(
			`is "${value}", which the draft ${id} already has. It was never sent, and it is for ${others}, not for ${emails.join(', ')}`,
			'Send or delete that draft in Documenso, or give the item another External ID.',
		);
	}
	return { document, existing };
}

/** With Skip and Fail, items with the same external ID share one document. */
async function documentFor(item: Item, { document, existing }: Plan): Promise<IDataObject> {
	if (document.ifExternalIdExists === 'create') return await createOnce(item, document);
	const first = claim(item, document);
	if (!first.made) {
		return await (first.made = existing
			? takeExisting(item.client, document, existing)
			: createOnce(item, document));
	}
	const made = await first.made.catch(() => {
		const { value } = document.externalId;
		throw refused(
			`is "${value}". Item ${first.item} has the same External ID, and its document could not be created`,
		);
	});
	return { ...made, alreadyExisted: true };
}

/** Sends a draft, because an earlier execution may have failed between creating and sending it. */
async function takeExisting(
	client: Client,
	document: NewDocument,
	{ id }: Listed,
): Promise<IDataObject> {
	const envelope = await client.envelope(id);
	const found = { ...outputFor(client, document, envelope), alreadyExisted: true };
	if (document.sending === 'no' || envelope.status !== 'DRAFT') return found;
	await distribute(client, id, { isNew: true });
	const sent = await client.envelope(id);
	return { ...outputFor(client, document, sent), alreadyExisted: true, sentNow: true };
}

/** The claim of the first item that has the external ID. */
function claim({ execution: { claims }, index }: Item, { externalId }: NewDocument): Claim {
	const first = claims.get(externalId.value) ?? { item: index };
	claims.set(externalId.value, first);
	return first;
}

function refused(fault: string, advice?: string): Refusal {
	return Refusal.of([{ column: 'External ID', fault, advice }]);
}
