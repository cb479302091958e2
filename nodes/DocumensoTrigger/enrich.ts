import type { IBinaryKeyData, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { envelopeSchema } from '../Documenso/api/envelope';
import { messageOf } from '../Documenso/api/failure';
import { path } from '../Documenso/api/path';
import { fetchPdf, fileNameFor, NOT_A_PDF } from '../Documenso/envelope/files';
import { filledValues } from '../Documenso/envelope/filledValues';
import { withoutTokens } from '../events/output';
import { labelOf, type Part } from './inputs';
import type { Lookup } from './lookup';
import type { Delivery } from './parse';
import type { Settings } from './settings';

/** Only a completed document has these. */
const FILES: Part[] = ['auditLog', 'certificate', 'signedFiles'];

/** What was fetched for an event. */
export interface Enrichment {
	json: IDataObject;
	binary: IBinaryKeyData;
}

/** Fetches what the user wants to add to an event. What cannot be fetched is listed under `missing`; nothing is thrown. */
export async function enrich(
	context: IWebhookFunctions,
	lookup: Lookup,
	delivery: Delivery,
	settings: Settings,
): Promise<Enrichment> {
	const { event, isTest } = delivery;
	const parts = settings.parts.filter(
		(part) => event.name === 'DOCUMENT_COMPLETED' || !FILES.includes(part),
	);
	const enrichment: Enrichment = { json: {}, binary: {} };
	const missing: IDataObject[] = [];
	await Promise.all(
		parts.map(async (part) => {
			const name = labelOf(part);
			const miss = (reason: string) => missing.push({ part, name, reason });
			if (isTest) {
				miss("This is a test from Documenso's dashboard: there is no such document.");
				return;
			}
			try {
				await add[part](enrichment, { context, lookup, delivery, settings, miss });
			} catch (error) {
				const isLate = lookup.deadline.aborted;
				const reason = isLate ? tooSlow(settings.fetchingSeconds) : messageOf(error);
				context.logger.warn(`${name} of ${event.subject.envelopeId}: ${reason}`);
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
	lookup: Lookup;
	delivery: Delivery;
	settings: Settings;
	/** Notes why a part is missing. */
	miss: (reason: string) => void;
}

/** How each part is added. Throws what the request threw. */
const add: Record<Part, (to: Enrichment, task: Task) => Promise<void>> = {
	details: async ({ json }, { lookup, settings }) => {
		const document = await lookup.document();
		json.details = settings.withSigningLinks ? document : withoutTokens(document);
	},

	values: async ({ json }, { lookup }) => {
		json.values = filledValues(await envelopeOf(lookup));
	},

	signedFiles: async ({ binary }, task) => {
		const { status, envelopeItems } = await envelopeOf(task.lookup);
		// Before that, a file is not signed, whatever its name says (documenso-api.md: Downloads).
		if (status !== 'COMPLETED') {
			task.miss(`The document isn't completed yet (status: ${status.toLowerCase()}).`);
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

async function envelopeOf(lookup: Lookup) {
	return lookup.client.parse(envelopeSchema, await lookup.document());
}

async function attach(
	binary: IBinaryKeyData,
	property: string,
	{ context, lookup, miss }: Task,
	place: string,
	fileName: string,
	query?: IDataObject,
) {
	const file = await fetchPdf(context, lookup.client, { path: place, query, fileName });
	if (file) binary[property] = file;
	else miss(`The download of ${fileName} is not a PDF. ${NOT_A_PDF}`);
}
