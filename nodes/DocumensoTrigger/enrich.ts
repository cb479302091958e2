import type { IBinaryKeyData, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { envelopeSchema } from '../Documenso/api/envelope';
import { messageOf } from '../Documenso/api/failure';
import { path } from '../Documenso/api/path';
import { parse, type Schema } from '../Documenso/api/records';
import {
	binaryNameOf,
	fetchPdf,
	fileNameFor,
	filesOf,
	notAPdf,
	type Download,
} from '../Documenso/envelope/files';
import { filledValues } from '../Documenso/envelope/filledValues';
import { withoutTokens } from '../events/output';
import { labelOf, type Part, type Settings } from './inputs';
import type { Lookup } from './lookup';
import type { Delivery } from './parse';

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
				const reason = isLate ? tooSlow(settings.fetchingMs / 1000) : messageOf(error);
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
	/** Lists the part as missing. */
	miss: (reason: string) => void;
}

/** How each part is added. Throws what the request threw. */
const add: Record<Part, (to: Enrichment, task: Task) => Promise<void>> = {
	details: async ({ json }, { lookup, settings }) => {
		const document = await lookup.document();
		json.details = settings.withSigningLinks ? document : withoutTokens(document);
	},

	values: async ({ json }, { lookup }) => {
		json.values = filledValues(await partOf(lookup, withFields));
	},

	signedFiles: async (to, task) => {
		const envelope = await partOf(task.lookup, withFiles);
		// Until then, a file is not signed, whatever its name says (documenso-api.md: Downloads).
		if (envelope.status !== 'COMPLETED') {
			const status = envelope.status.toLowerCase();
			task.miss(`The document isn't completed yet (status: ${status}).`);
			return;
		}
		await Promise.all(
			filesOf(envelope, 'signed').map(async ({ download }, index) => {
				await attach(to, binaryNameOf(index), task, download);
			}),
		);
	},

	certificate: async (to, task) => {
		const { envelopeId, title } = task.delivery.event.subject;
		await attach(to, 'certificate', task, {
			path: path`/envelope/${envelopeId}/certificate/download`,
			fileName: fileNameFor(title, 'certificate'),
		});
	},

	auditLog: async (to, task) => {
		const { envelopeId, title } = task.delivery.event.subject;
		await attach(to, 'auditLog', task, {
			path: path`/envelope/${envelopeId}/audit-log/download`,
			fileName: fileNameFor(title, 'audit-log'),
		});
	},
};

const withFields = envelopeSchema.pick({ recipients: true, fields: true });
const withFiles = envelopeSchema.pick({ status: true, envelopeItems: true });

async function partOf<Part>(lookup: Lookup, schema: Schema<Part>): Promise<Part> {
	return parse(schema, await lookup.document());
}

async function attach(
	{ binary }: Enrichment,
	property: string,
	{ context, lookup, miss }: Task,
	download: Omit<Download, 'json'>,
) {
	const file = await fetchPdf(context, lookup.client, download);
	if (file) binary[property] = file;
	else miss(notAPdf(download.fileName));
}
