import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { envelopeSchema, type Envelope, type Listed } from '../api/envelope';
import { dataOf, parse } from '../api/records';
import type { Claim } from '../engine/claims';
import type { Inputs, Values } from '../engine/input';
import type { Item } from '../engine/item';
import type { FailedItem } from '../engine/nodeError';
import { planned, type Description, type Operation, type Planned } from '../engine/operation';
import { Refusal } from '../engine/refusal';
import { createOnce, ownAmong, unclear } from './createOnce';
import { takeExisting } from './existing';
import { hasExternalId, isOfRetried } from './externalId';
import { Arrivals, findEverywhere, type Found } from './lookUp';
import { isFor, type NewDocument } from './newDocument';
import { getMany, inBatches } from './read';
import { tellOtherRecipients } from './otherRecipientsHint';
import { simplifyCreated } from './simplify';
import { tellUnmatched } from './unmatchedHint';

interface Plan {
	document: NewDocument;
	/** What earlier tries may have created for the item. */
	earlier?: Listed[];
	/** Only with Skip and Fail, as what follows. */
	claim?: Claim;
	/** Taken instead of creating another. */
	existing?: Listed;
	arrivals?: Arrivals;
	/** The first of `earlier`, or `existing`, as it was after the look-up. */
	read?: Envelope;
}

/** Creates a document for each item, once. This is the only path on which documents are created. */
export function creating<I extends Inputs>(
	spec: Omit<Description<I>, 'effect'> & {
		/** Reads and checks everything that the document needs; creates nothing. */
		document(values: Values<I>, item: Item<I>): Promise<NewDocument>;
	},
): Operation {
	// What ends the run, and an operation of older endpoints, make their own.
	const hasOwnOutput = Boolean(spec.ending ?? spec.simplify);
	return planned<I, Plan>({
		...(hasOwnOutput ? {} : { simplify: simplifyCreated }),
		...spec,
		// Not 'adds': createOnce itself sees to it that a retry creates nothing twice.
		effect: 'changes',
		plan: async (values, item) => ({ document: checked(await spec.document(values, item)) }),
		compare: (plans) => {
			tellUnmatched(plans);
			return claimAll(plans);
		},
		lookUp,
		perform: async (plan, item) => {
			const json = await documentFor(item, plan);
			return [{ json: hasOwnOutput ? json : await withUrl(item.client, json) }];
		},
	});
}

/**
 * The document with its address, which names its team. If nothing has told that, one document of those that the
 * execution creates is read for it; if that fails, there is no address.
 */
async function withUrl(client: Client, json: IDataObject): Promise<IDataObject> {
	const { id, url } = json;
	if (typeof url === 'string' || typeof id !== 'string') return json;
	const read = async () => (await client.envelope(id)).team;
	const team = await client.once('team of new documents', read).catch(() => undefined);
	return { ...json, url: client.documentUrl({ id, team }) };
}

function checked(document: NewDocument): NewDocument {
	const { externalId, ifExternalIdExists } = document;
	if (ifExternalIdExists !== 'create' && externalId.source !== 'chosen') {
		throw refused(
			"is missing, so 'If External ID Exists' has nothing to look for",
			"Enter one under 'Additional Fields', or choose Create Anyway.",
		);
	}
	return document;
}

/** Claims the external IDs that must not be used twice. With Fail, refuses the second item that has one. */
function claimAll(plans: Array<Planned<Plan>>): FailedItem[] {
	return plans.flatMap(({ item, plan }) => {
		const { document } = plan;
		if (document.ifExternalIdExists === 'create') return [];
		const claim = claimOn(item, document);
		plan.claim = claim;
		const isOfAnother = claim.holder === item.execution.claims && claim.item !== item.index;
		if (document.ifExternalIdExists !== 'fail' || !isOfAnother) return [];
		const fault = `is "${document.externalId.value}", which item ${claim.item} has too`;
		return [{ item: item.index, caught: refused(fault, OTHER_ID) }];
	});
}

const OTHER_ID =
	"Give the item another External ID, or choose Skip under 'If External ID Exists' to take the existing document.";

function claimOn({ client, execution, index }: Item, { externalId }: NewDocument): Claim {
	return execution.claims.take(`${client.account} ${externalId.value}`, index);
}

/** Looks for what earlier tries created, and with Skip and Fail for documents that have the external ID already. */
async function lookUp(plans: Array<Planned<Plan>>): Promise<FailedItem[]> {
	const again = plans.filter(({ item }) => isTriedAgain(item));
	const claimed = plans.filter(({ item, plan }) => plan.claim && item.progress.state === 'new');
	const wanted = [...new Set([...again, ...claimed])];
	const [first] = wanted;
	if (!first) return [];
	const { client } = first.item;
	const externalIds = wanted.map(({ plan }) => plan.document.externalId);
	const lookedAt = Date.now();
	const found = await findEverywhere(client, externalIds);
	const doubtful = assignEarlier(again, found);
	const open = claimed.filter(({ plan }) => !plan.earlier);
	const refused = assignExisting(open, found);
	tellOtherRecipients(open);
	await readFound(client, wanted);
	const arrivals = new Map<string | undefined, Arrivals>();
	for (const { plan } of open) {
		const { folderId } = plan.document;
		plan.arrivals = arrivals.get(folderId) ?? new Arrivals(client, externalIds, folderId, lookedAt);
		arrivals.set(folderId, plan.arrivals);
	}
	return [...doubtful, ...refused];
}

/** Notes what earlier tries created. Refuses the items for which a retry cannot tell whether they have a document. */
function assignEarlier(plans: Array<Planned<Plan>>, found: Found): FailedItem[] {
	for (const { item, plan } of plans) {
		const own = ownAmong(found.with(plan.document.externalId), item, plan.document);
		const isBlind = item.execution.progress.retries === 'blindly' && item.progress.state === 'new';
		if (own.length > 0 && !isBlind) plan.earlier = own;
	}
	const ofItems = new Set(plans.flatMap(({ plan }) => plan.earlier?.map(({ id }) => id) ?? []));
	const others = found.all.filter(({ id }) => !ofItems.has(id));
	return plans.flatMap(({ item, plan: { claim, document, earlier } }) => {
		if (earlier ?? claim) return [];
		// A spreadsheet that is read again may have its rows in other places.
		const mayBeOwn = others.filter(
			(one) => hasExternalId(one, document.externalId) || isOfRetried(one, document.externalId),
		);
		const own = ownAmong(mayBeOwn, item, document);
		return own.length > 0 ? [{ item: item.index, caught: unclear(document, own) }] : [];
	});
}

/** Notes the documents that exist. Refuses the items that cannot take theirs. */
function assignExisting(plans: Array<Planned<Plan>>, found: Found): FailedItem[] {
	return plans.flatMap(({ item, plan }) => {
		const [existing] = found.with(plan.document.externalId);
		if (!existing) return [];
		try {
			checkExisting(plan.document, existing);
			plan.existing = existing;
			return [];
		} catch (caught) {
			return [{ item: item.index, caught }];
		}
	});
}

/** Reads the documents that were found, many in a request. */
async function readFound(client: Client, plans: Array<Planned<Plan>>) {
	const foundFor = ({ earlier = [], existing = earlier[0] }: Plan) => existing?.id;
	const ids = new Set(plans.flatMap(({ plan }) => foundFor(plan) ?? []));
	const read = await mapConcurrently(
		inBatches([...ids]),
		() => client.limit,
		async (batch) => dataOf(await client.send(getMany('envelopeId', batch))),
	);
	const envelopes = read.flat().map((record) => parse(envelopeSchema, record));
	const byId = new Map(envelopes.map((envelope) => [envelope.id, envelope]));
	for (const { plan } of plans) plan.read = byId.get(foundFor(plan) ?? '');
}

/** Whether an earlier try may have created the item's document, without knowing its ID. */
function isTriedAgain({ execution, progress }: Item): boolean {
	const isRetry = execution.progress.retries !== 'nothing';
	return progress.state === 'creating' || (progress.state === 'new' && isRetry);
}

/** Fail refuses any document that has the external ID, and Skip a draft that cannot be sent in the item's place. */
function checkExisting(document: NewDocument, { id, status, recipients }: Listed) {
	const { emails, externalId, ifExternalIdExists, sending } = document;
	const { value } = externalId;
	if (ifExternalIdExists === 'fail') {
		throw refused(
			`is "${value}", which the document ${id} (${status.toLowerCase()}) already has`,
			OTHER_ID,
		);
	}
	if (sending !== 'no' && status === 'DRAFT' && !isFor(recipients, document)) {
		const others = recipients.map(({ email }) => email).join(', ') || 'nobody';
		throw refused(
			`is "${value}", which the draft ${id} already has. It was never sent, and it is for ${others}, not for ${emails.join(', ')}`,
			'Send or delete that draft in Documenso, or give the item another External ID.',
		);
	}
}

/** With Skip and Fail, items with the same external ID share one document. */
async function documentFor(item: Item, plan: Plan): Promise<IDataObject> {
	const { claim, document } = plan;
	if (!claim) return await createOnce(item, document, plan.earlier, plan.read);
	if (claim.holder !== item.execution.claims) return await madeElsewhere(item, plan, claim);
	if (!claim.made) return await claim.make(async () => await takeOrCreate(item, plan));
	const made = await claim.made.catch(() => {
		const { value } = document.externalId;
		throw refused(
			`is "${value}". Item ${claim.item} has the same External ID, and its document could not be created`,
			`Correct item ${claim.item}, and run this item again.`,
		);
	});
	return { ...made, alreadyExisted: true };
}

/** Waits for another execution that was first to claim the external ID. */
async function madeElsewhere(item: Item, plan: Plan, claim: Claim): Promise<IDataObject> {
	const { document } = plan;
	const made = await claim.outcome;
	if (!made) {
		// It gave up. Documenso may have created the document nevertheless.
		const again = { ...plan, claim: claimOn(item, document) };
		await lookUp([{ item, plan: again }]).then(([failed]) => {
			if (failed) throw failed.caught;
		});
		return await documentFor(item, again);
	}
	if (document.ifExternalIdExists === 'fail') {
		const { value } = document.externalId;
		// A number from the deprecated operation.
		const id = made.id as string | number;
		throw refused(
			`is "${value}", which another execution has just given to the document ${id}`,
			OTHER_ID,
		);
	}
	return { ...made, alreadyExisted: true };
}

async function takeOrCreate(item: Item, plan: Plan): Promise<IDataObject> {
	const { arrivals, document, existing, read } = plan;
	const known = existing ?? (await arrivals?.find(document.externalId));
	if (!known) return await createOnce(item, document, plan.earlier, read);
	checkExisting(document, known);
	const taken = await takeExisting(item, document, known.id, existing && read);
	return taken ?? (await createOnce(item, document));
}

function refused(fault: string, advice?: string): Refusal {
	return Refusal.of([{ column: 'External ID', fault, advice }]);
}
