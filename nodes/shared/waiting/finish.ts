import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../api/client';
import { messageOf } from '../api/failure';
import { parse } from '../api/records';
import { fetchSigned, withFiles } from '../envelope/files';
import { changedBySigner, filledSchema, filledValues } from '../envelope/filledValues';
import { simplifyEnvelope } from '../envelope/simplify';
import type { FileContext } from '../n8n/binary';
import type { Document, Documents, Wait, WaitedFor, WaitOutcome } from './documents';

export interface Known {
	read: Documents;
	outcomes: ReadonlyMap<string, WaitOutcome | undefined>;
}

/** What the node returns when the wait is over for all documents. */
export async function finish(
	context: FileContext,
	client: Client,
	wait: Wait,
	{ read, outcomes }: Known,
): Promise<INodeExecutionData[]> {
	const fetched = new Map<string, Pick<INodeExecutionData, 'json' | 'binary'>>();
	await client.each(outcomes, async ([id, outcome]) => {
		const document = read.get(id);
		fetched.set(id, await outputOf(context, client, { id, outcome, document }, wait));
	});
	return itemsOf(wait, ({ id }) => fetched.get(id) ?? { json: { id } });
}

/** The items of a run, in order and paired with the node's input. */
export function itemsOf(
	{ documents, others, isTest }: Wait,
	output: (document: WaitedFor) => Pick<INodeExecutionData, 'json' | 'binary'>,
): INodeExecutionData[] {
	const first = isTest ? { isTest } : {};
	const of = (one: WaitedFor) => {
		const { json, ...rest } = output(one);
		return { json: { ...first, ...json }, ...rest };
	};
	return [
		...documents.map((one) => ({ ...of(one), pairedItem: { item: one.item } })),
		...others.map(({ item, json }) => ({ json, pairedItem: { item } })),
	].sort((a, b) => a.pairedItem.item - b.pairedItem.item);
}

interface Finished {
	id: string;
	outcome?: WaitOutcome;
	document?: Document;
}

async function outputOf(
	context: FileContext,
	client: Client,
	finished: Finished,
	wait: Wait,
): Promise<Pick<INodeExecutionData, 'json' | 'binary'>> {
	const json = recordOf(client, finished, wait);
	if (!finished.document || !wantsFiles(finished, wait)) return { json };
	const { record } = finished.document;
	const { binary, failed } = await fetchSigned(context, client, parse(withFiles, record));
	const missing = failed.map(({ fileName, error }) => {
		return { part: 'signedFiles', fileName, reason: messageOf(error) };
	});
	return { json: lacking(json, missing), binary };
}

/** The item of a document that had ended before the wait began, for the end of the time limit: nothing can be fetched then. */
export function endedBefore(client: Client, finished: Finished, wait: Wait): IDataObject {
	const json = recordOf(client, finished, wait);
	const missing = [{ part: 'signedFiles', reason: NOT_FETCHED }];
	return wantsFiles(finished, wait) ? lacking(json, missing) : json;
}

const NOT_FETCHED =
	"It was signed before the wait began, and the wait ended at its time limit. Get it with 'Document: Download'.";

function wantsFiles({ outcome }: Finished, { parts }: Wait): boolean {
	return outcome === 'completed' && parts.includes('signedFiles');
}

/** The contract is signed: the workflow goes on, and says what it lacks. */
function lacking(json: IDataObject, more: IDataObject[]): IDataObject {
	const { missing = [] } = json as { missing?: IDataObject[] };
	return more.length > 0 ? { ...json, missing: [...missing, ...more] } : json;
}

/** All but the files. */
function recordOf(
	client: Client,
	{ id, outcome, document }: Finished,
	{ parts }: Wait,
): IDataObject {
	if (!document) return { outcome, id };
	const { record, envelope } = document;
	const url = client.documentUrl(envelope);
	const json: IDataObject = { outcome, ...simplifyEnvelope(record), url };
	if (outcome !== 'completed' || !parts.includes('values')) return json;
	try {
		const filled = parse(filledSchema, record);
		return { ...json, values: filledValues(filled), changedBySigner: changedBySigner(filled) };
	} catch (error) {
		return lacking(json, [{ part: 'values', reason: messageOf(error) }]);
	}
}
