import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../shared/api/client';
import { envelopeSchema } from '../../shared/api/envelope';
import { creatingOptions } from '../engine/commonInputs';
import { canonical, hashOfFile } from '../engine/hash';
import type { Inputs, Values } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';
import type { FailedItem } from '../../shared/n8n/nodeError';
import type { Description, Operation } from '../engine/operation';
import { planned } from '../engine/planned';
import { simplifyCreated } from '../../shared/envelope/simplify';
import { hintAtShared, sameIdTwice } from './existingMessages';
import { firstsByKey, refusedId, keyOf, type Asked, type NewDocument } from './newDocument';
import { startRun, type Create } from './run';
import { hintAtTest } from './testRun';

/** Creates a document for each item, once. This is the only path on which documents are created. */
export function creating<I extends Inputs>(
	spec: Omit<Description<I>, 'effect'> & {
		/** Reads and checks everything that the document needs; creates nothing. */
		document: (values: Values<I>, item: Item) => Promise<NewDocument>;
	},
): Operation {
	// What ends the run, and an operation of older endpoints, make their own.
	const isOutputFinal = Boolean(spec.ending ?? spec.simplify);
	return planned<I, { document: NewDocument }, { create: Create }>({
		...(isOutputFinal ? {} : { simplify: simplifyCreated, hasLinks: true }),
		...spec,
		// Not 'adds': the journey itself sees to it that a retry creates nothing twice.
		effect: 'changes',
		plan: async (values, item) => ({ document: checked(await spec.document(values, item)) }),
		runOptions: creatingOptions,
		compare: async (plans) => {
			hintAtTest(plans);
			return await duplicatesIn(plans);
		},
		look: startRun,
		perform: async ({ create, item }) => {
			const json = await create();
			return [{ json: isOutputFinal ? json : await withAddress(item.client, json) }];
		},
	});
}

/**
 * The document with its address, which names its team. If nothing has told that, one document of those that the
 * execution creates is read for it; if that fails, there is no address.
 */
async function withAddress(client: Client, json: IDataObject): Promise<IDataObject> {
	const { id, url } = json;
	if (typeof url === 'string' || typeof id !== 'string') return json;
	const read = async () => (await client.envelope(id, envelopeSchema.pick({ team: true }))).team;
	const team = await client.once('team of new documents', read).catch(() => undefined);
	return { ...json, url: client.documentUrl({ id, team }) };
}

/** Throws if the document has no external ID to look for, though existing documents count. */
export function checked(document: NewDocument): NewDocument {
	const { externalId, ifExternalIdExists } = document;
	if (ifExternalIdExists !== 'create' && externalId.source !== 'chosen') {
		throw refusedId(
			"is missing, so 'If External ID Exists' has nothing to look for",
			"Give each item its own: with an expression under 'Additional Fields > External ID', or for a template in the column 'External ID'.",
		);
	}
	return document;
}

/**
 * The items with the external ID of one before them: with Fail all, otherwise those that ask for another document. Those
 * that ask for the same one share it.
 */
export async function duplicatesIn(all: Asked[]): Promise<FailedItem[]> {
	const failed: FailedItem[] = [];
	const shared: Item[] = [];
	for (const [{ item, document }, first] of firstsByKey(all, (one) => keyOf(one.document))) {
		const { content, externalId } = first.document;
		const isShared =
			document.ifExternalIdExists !== 'fail' && (await isSameContent(document.content, content));
		if (isShared) shared.push(item);
		else {
			const caught = sameIdTwice(document, first.item.index, externalId);
			failed.push({ item: item.index, caught });
		}
	}
	hintAtShared(shared);
	return failed;
}

async function isSameContent(one: NewDocument['content'], other: NewDocument['content']) {
	if (canonical(one.payload) !== canonical(other.payload)) return false;
	const pairs = one.files.map((file, index) => [file, other.files[index]] as const);
	const same = pairs.map(
		async ([file, its]) =>
			its !== undefined &&
			(file.key === its.key || (await hashOfFile(file)) === (await hashOfFile(its))),
	);
	return one.files.length === other.files.length && (await Promise.all(same)).every(Boolean);
}
