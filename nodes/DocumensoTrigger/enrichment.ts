import type { IBinaryKeyData, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { envelopeSchema } from '../Documenso/api/envelope';
import { fetchPdf, fileNameFor, NOT_A_PDF } from '../Documenso/envelope/files';
import { filledValues } from '../Documenso/envelope/filledValues';
import { messageOf } from '../Documenso/api/failure';
import { withoutTokens } from '../Documenso/events/output';
import type { Client } from '../Documenso/api/client';
import { path } from '../Documenso/api/path';
import type { Delivery } from './delivery';

/** What can be fetched for an event, as the editor's list has it. */
export type Part = 'auditLog' | 'certificate' | 'details' | 'signedFiles' | 'values';

/** Those that there are once a document is completed. */
const FILES: Part[] = ['auditLog', 'certificate', 'signedFiles'];

const LABELS: Record<Part, string> = {
	auditLog: 'Audit Log',
	certificate: 'Certificate',
	details: 'Document Details',
	signedFiles: 'Signed PDFs',
	values: 'Filled-In Values',
};

export interface Enrichment {
	json: IDataObject;
	binary: IBinaryKeyData;
}

export interface EnrichmentOptions {
	parts: Part[];
	withTokens: boolean;
	/** In seconds; the client gives up then. */
	budget: number;
	deadline: AbortSignal;
}

/** Fetches what belongs to an event. What cannot be had is told under `missing`; nothing is thrown. */
export async function enrich(
	context: IWebhookFunctions,
	client: Client,
	delivery: Delivery,
	options: EnrichmentOptions,
): Promise<Enrichment> {
	const { event, isTest } = delivery;
	const { budget, deadline } = options;
	const parts = options.parts.filter(
		(part) => event.name === 'DOCUMENT_COMPLETED' || !FILES.includes(part),
	);
	const enrichment: Enrichment = { json: {}, binary: {} };
	const missing: IDataObject[] = [];
	await Promise.all(
		parts.map(async (part) => {
			const miss = (reason: string) => missing.push({ part, name: LABELS[part], reason });
			if (isTest) {
				miss("This is a test from Documenso's dashboard: there is no such document.");
				return;
			}
			try {
				await add[part](enrichment, { context, client, delivery, options, miss });
			} catch (error) {
				const reason = deadline.aborted ? tooSlow(budget) : messageOf(error);
				context.logger.warn(`${LABELS[part]} of ${event.subject.envelopeId}: ${reason}`);
				miss(reason);
			}
		}),
	);
	if (missing.length > 0) enrichment.json.missing = missing;
	return enrichment;
}

function tooSlow(seconds: number): string {
	return `Documenso took longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}

interface Task {
	context: IWebhookFunctions;
	client: Client;
	delivery: Delivery;
	options: EnrichmentOptions;
	/** Notes why a part is not there. */
	miss: (reason: string) => void;
}

/** How each part is added. Throws what the request threw. */
const add: Record<Part, (to: Enrichment, task: Task) => Promise<void>> = {
	details: async ({ json }, task) => {
		const envelope = await envelopeOf(task);
		json.details = task.options.withTokens ? envelope : withoutTokens(envelope);
	},

	values: async ({ json }, task) => {
		json.values = filledValues(task.client.parse(envelopeSchema, await envelopeOf(task)));
	},

	signedFiles: async ({ binary }, task) => {
		const { status, envelopeItems } = task.client.parse(envelopeSchema, await envelopeOf(task));
		// A file of another document than a completed one is not signed, whatever its name says (observed §5).
		if (status !== 'COMPLETED') {
			task.miss(`The document is not completed, but ${status.toLowerCase()}.`);
			return;
		}
		await Promise.all(
			envelopeItems.map(async ({ id, title }, index) => {
				const property = index === 0 ? 'data' : `data_${index + 1}`;
				const fileName = fileNameFor(title, 'signed');
				const place = path`/envelope/item/${id}/download`;
				await attach(binary, property, task, place, fileName, { version: 'signed' });
			}),
		);
	},

	certificate: async ({ binary }, task) => {
		const { envelopeId, title } = task.delivery.event.subject;
		const place = path`/envelope/${envelopeId}/certificate/download`;
		await attach(binary, 'certificate', task, place, fileNameFor(title, 'certificate'));
	},

	auditLog: async ({ binary }, task) => {
		const { envelopeId, title } = task.delivery.event.subject;
		const place = path`/envelope/${envelopeId}/audit-log/download`;
		await attach(binary, 'auditLog', task, place, fileNameFor(title, 'audit-log'));
	},
};

/** Read once for all parts. */
async function envelopeOf({ client, delivery }: Task): Promise<IDataObject> {
	const { envelopeId } = delivery.event.subject;
	return await client.read({ method: 'GET', path: path`/envelope/${envelopeId}` });
}

async function attach(
	binary: IBinaryKeyData,
	property: string,
	{ context, client, miss }: Task,
	place: string,
	fileName: string,
	query?: IDataObject,
) {
	const file = await fetchPdf(context, client, { path: place, query, fileName });
	if (file) binary[property] = file;
	else miss(`What came for ${fileName} is not a PDF. ${NOT_A_PDF}`);
}
