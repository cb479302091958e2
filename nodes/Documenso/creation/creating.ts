import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import { envelopeSchema } from '../api/envelope';
import { creatingOptions } from '../engine/commonInputs';
import type { Inputs, Values } from '../engine/input';
import type { Item } from '../engine/item';
import type { FailedItem } from '../engine/nodeError';
import type { Description, Operation } from '../engine/operation';
import { planned } from '../engine/planned';
import { simplifyCreated } from '../envelope/simplify';
import { Expedition, firstOfEach, type PlannedDocument } from './expedition';
import { tellLeftBlank } from './hints';
import type { NewDocument } from './newDocument';
import { refusedId } from './refusals';
import { tellTest } from './testRun';

/** Creates a document for each item, once. This is the only path on which documents are created. */
export function creating<I extends Inputs>(
	spec: Omit<Description<I>, 'effect'> & {
		/** Reads and checks everything that the document needs; creates nothing. */
		document: (values: Values<I>, item: Item) => Promise<NewDocument>;
	},
): Operation {
	// What ends the run, and an operation of older endpoints, make their own.
	const hasOwnOutput = Boolean(spec.ending ?? spec.simplify);
	return planned<I, NewDocument, Expedition>({
		...(hasOwnOutput ? {} : { simplify: simplifyCreated }),
		...spec,
		// Not 'adds': the journey itself sees to it that a retry creates nothing twice.
		effect: 'changes',
		plan: async (values, item) => checked(await spec.document(values, item)),
		runOptions: creatingOptions,
		compare: (plans) => {
			tellTest(plans);
			tellLeftBlank(plans);
			return refuseDuplicates(plans);
		},
		look: async (plans) => await Expedition.begin(plans),
		perform: async (document, item, expedition) => {
			const json = await expedition.travel(item, document);
			return [{ json: hasOwnOutput ? json : await withAddress(item.client, json) }];
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

/** With Fail, refuses the second item that has an external ID. */
export function refuseDuplicates(plans: PlannedDocument[]): FailedItem[] {
	const first = firstOfEach(plans);
	return plans.flatMap(({ item, plan }) => {
		const { value } = plan.externalId;
		const other = first.get(value)?.item.index;
		if (plan.ifExternalIdExists !== 'fail' || other === item.index) return [];
		return [
			{
				item: item.index,
				caught: refusedId(
					`is "${value}", which item ${other} has too`,
					'Give one of the two items another External ID, or leave one out.',
					{ externalId: value },
				),
			},
		];
	});
}
