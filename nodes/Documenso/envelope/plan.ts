import type { IDataObject } from 'n8n-workflow';

import { Memory } from '../memory';
import type { ItemOutput } from '../operation';
import { Refusal } from '../engine/refusal';
import type { Params } from '../params';
import type { Client } from '../api/client';
import { createOnce, described, isFor, type Creation } from './creation';
import { distribute, envelopeOf } from './distribute';
import type { Listed } from './envelope';
import { findAnywhere } from './externalId';

/** What is to be made for an item, or what is there already. */
export interface Plan {
	creation: Creation;
	existing?: Listed;
}

/** An external ID that must not be used twice, and the first item that asks for it. */
interface Claim {
	item: number;
	made?: Promise<IDataObject>;
}

const claims = new WeakMap<Client, Map<string, Claim>>();

/**
 * Looks for a document with the item's external ID, where that matters to the user. Throws where there must
 * be none, and where another item of the execution has the same ID.
 */
export async function planOf(params: Params, client: Client, creation: Creation): Promise<Plan> {
	const { safety, sending, trace } = creation;
	const policy = safety.ifExternalIdExists;
	// What an earlier try has begun is this item's own.
	const isBegun = Memory.of(params.context).of(params.itemIndex).begun !== undefined;
	if (policy === 'create' || isBegun) return { creation };
	const { externalId, isChosen } = trace;
	if (!isChosen) {
		throw refused("is missing, so that 'If External ID Exists' has nothing to look for");
	}
	const { item } = claim(params, client, externalId);
	if (policy === 'fail' && item !== params.itemIndex) {
		throw refused(`is "${externalId}", as that of item ${item} is`);
	}
	const existing = await findAnywhere(client, externalId);
	if (!existing) return { creation };
	const { id, status, recipients } = existing;
	if (policy === 'fail') {
		throw refused(`is "${externalId}", which the document ${id} (${status}) has already`);
	}
	if (sending !== 'no' && status === 'DRAFT' && !isFor(recipients, trace)) {
		const emails = recipients.map(({ email }) => email).join(', ') || 'nobody';
		throw refused(
			`is "${externalId}", which the draft ${id} has already. It was never sent, and it is for ${emails}`,
			'Send or delete that draft in Documenso, or give the item another External ID.',
		);
	}
	return { creation, existing };
}

/** Makes what is planned; items with one external ID that must not be used twice share one document. */
export async function carryOut(plan: Plan, params: Params, client: Client): Promise<ItemOutput[]> {
	return [{ json: await documentFor(plan, params, client) }];
}

async function documentFor(plan: Plan, params: Params, client: Client): Promise<IDataObject> {
	const { creation, existing } = plan;
	const { safety, trace } = creation;
	if (safety.ifExternalIdExists === 'create') return await createOnce(params, client, creation);
	const first = claim(params, client, trace.externalId);
	if (!first.made) {
		return await (first.made = existing
			? takeExisting(client, creation, existing)
			: createOnce(params, client, creation));
	}
	const document = await first.made.catch(() => {
		const fault = `is "${trace.externalId}", as that of item ${first.item} is, whose document could not be made`;
		throw refused(fault);
	});
	return { ...document, alreadyExisted: true };
}

/** An earlier execution may have failed between creating the document and sending it: it is sent now. */
async function takeExisting(
	client: Client,
	{ describe, sending }: Creation,
	{ id }: Listed,
): Promise<IDataObject> {
	const envelope = await envelopeOf(client, id);
	const document = { ...described(client, envelope, describe), alreadyExisted: true };
	if (sending === 'no' || envelope.status !== 'DRAFT') return document;
	await distribute(client, id, {}, true);
	const sent = await envelopeOf(client, id);
	return { ...described(client, sent, describe), alreadyExisted: true, sentNow: true };
}

function claim({ itemIndex }: Params, client: Client, externalId: string): Claim {
	const ofClient = claims.get(client) ?? new Map<string, Claim>();
	claims.set(client, ofClient);
	const first = ofClient.get(externalId) ?? { item: itemIndex };
	ofClient.set(externalId, first);
	return first;
}

function refused(fault: string, advice?: string) {
	return Refusal.of([{ column: 'External ID', fault, advice }]);
}
