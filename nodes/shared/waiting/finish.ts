import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { Client } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { messageOf } from '../api/failure';
import { parse } from '../api/records';
import { fetchSigned, withFiles } from '../envelope/files';
import { changedBySigner, filledSchema, filledValues } from '../envelope/filledValues';
import { simplifyEnvelope } from '../envelope/simplify';
import { outcomesOf, type Document, type Documents, type WaitOutcome } from './documents';
import type { Wait, WaitedFor } from './wait';

type Context = IExecuteFunctions | IWebhookFunctions;

/** What the node returns when the wait is over for all documents. */
export async function finish(
	context: Context,
	client: Client,
	wait: Wait,
	documents: Documents,
): Promise<INodeExecutionData[]> {
	const outcomes = outcomesOf(client, wait, documents);
	const fetched = new Map<string, Pick<INodeExecutionData, 'json' | 'binary'>>();
	await mapConcurrently(
		[...outcomes],
		() => client.limit,
		async ([id, outcome]) => {
			const document = documents.get(id);
			fetched.set(id, await outputOf(context, client, { id, outcome, document }, wait));
		},
	);
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
	context: Context,
	client: Client,
	{ id, outcome, document }: Finished,
	{ parts }: Wait,
): Promise<Pick<INodeExecutionData, 'json' | 'binary'>> {
	if (!document) return { json: { outcome, id } };
	const { record, envelope } = document;
	const url = client.documentUrl(envelope);
	const json: IDataObject = { outcome, ...simplifyEnvelope(record), url };
	if (outcome !== 'completed') return { json };
	// The contract is signed: the workflow goes on, and says what it lacks.
	const missing: IDataObject[] = [];
	if (parts.includes('values')) {
		try {
			const filled = parse(filledSchema, record);
			Object.assign(json, {
				values: filledValues(filled),
				changedBySigner: changedBySigner(filled),
			});
		} catch (error) {
			missing.push({ part: 'values', reason: messageOf(error) });
		}
	}
	const whole = () => (missing.length > 0 ? { ...json, missing } : json);
	if (!parts.includes('signedFiles')) return { json: whole() };
	const { binary, failed } = await fetchSigned(context, client, parse(withFiles, record));
	for (const { fileName, error } of failed) {
		missing.push({ part: 'signedFiles', fileName, reason: messageOf(error) });
	}
	return { json: whole(), binary };
}
