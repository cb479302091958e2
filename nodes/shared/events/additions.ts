import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { z } from 'zod';

import { HttpClient, type Client } from '../api/client';
import { isNotFound, messageOf } from '../api/failure';
import { parse } from '../api/records';
import { multiChoice } from '../n8n/input';
import { listOfTexts } from '../n8n/values';
import { LAGS_MS } from '../waiting/documents';
import { errorOutput, failureOf } from '../n8n/nodeError';
import { noted, Refusal } from '../n8n/refusal';
import { fetchPdf, fetchSigned, notAPdf, paperOf, withFiles, type Paper } from '../envelope/files';
import { changedBySigner, filledSchema, filledValues } from '../envelope/filledValues';
import { FILLED_VALUES, SIGNED_FILES, SIGNING_LINKS } from '../inputs/optionLists';
import { linksFor, withUrl } from './links';
import { GONE_EVENTS } from './names';
import { shownRecord } from './output';

const PARTS = [
	{
		name: 'Audit Log',
		value: 'auditLog',
		description: "The PDF of a completed document's audit log, in the binary field 'auditLog'",
	},
	{
		name: 'Certificate',
		value: 'certificate',
		description: "The PDF of a completed document's certificate, in the binary field 'certificate'",
	},
	{
		name: 'Document Details',
		value: 'details',
		description: "Everything Documenso has on the document, under 'details'",
	},
	FILLED_VALUES,
	SIGNED_FILES,
] as const;

type Part = (typeof PARTS)[number]['value'];

function nameOfPart(part: string): string {
	return [...PARTS, SIGNING_LINKS].find(({ value }) => value === part)?.name ?? part;
}

/** An unknown one must not cost an event, nor the others. */
export const additions = multiChoice(
	'Add to Output',
	[...PARTS],
	listOfTexts.transform((parts) => parts.filter(Boolean)).catch([]),
	{
		description:
			'What to fetch from Documenso when the execution starts. Files are available for Document Completed. If something cannot be fetched, the execution fails, and a retry in n8n fetches it again.',
	},
);

function isPart(part: string): part is Part {
	return PARTS.some(({ value }) => value === part);
}

/** Refuses unknown options, before the workflow is published. */
export function checkParts(parts: string[]) {
	const unknown = parts.filter((part) => !isPart(part));
	if (unknown.length === 0) return;
	const known = PARTS.map(({ value }) => value).join(', ');
	throw new Refusal(
		`'Add to Output' has ${unknown.join(', ')}, which cannot be added`,
		`It can have: ${known}.`,
	);
}

/** Only a completed document has these. */
const FILES: Part[] = ['auditLog', 'certificate', 'signedFiles'];

interface Settings {
	parts: string[];
	withSigningLinks: boolean;
	/** Whether to go on without what cannot be fetched, and to list it under `missing`. */
	withoutMissing: boolean;
	/** Whether a document was there when the event was found: if it is not any more, it was deleted. */
	wasThere?: boolean;
}

const externalId = z.string().nullish();

/** What an item of a trigger is about, in each form that it may have. */
const itemSchema = z
	.object({
		event: z.string(),
		isTest: z.boolean().default(false),
		payload: z.object({ envelopeId: z.string(), title: z.string(), externalId }).optional(),
		document: z.object({ id: z.string(), title: z.string(), externalId }).optional(),
		template: z.object({ id: z.string(), title: z.string() }).optional(),
	})
	.transform(({ event, isTest, payload, document, template }) => ({
		event,
		isTest,
		id: payload?.envelopeId ?? document?.id ?? template?.id ?? '',
		title: payload?.title ?? document?.title ?? template?.title ?? '',
		externalId: payload?.externalId ?? document?.externalId,
	}));

type About = z.infer<typeof itemSchema>;

/** The error of an execution with several events, with the event that it is about. */
export function ofEvent(error: unknown, { json }: INodeExecutionData, events: number): unknown {
	const about = itemSchema.safeParse(json).data;
	if (!about || events === 1) return error;
	const { event, title, id } = about;
	return noted(
		error,
		`It failed for ${event} of "${title}" (${id}). A retry goes on with all ${events} events of this execution. If one should not hold up the others, turn on 'Options > Continue Without What Is Missing'.`,
	);
}

/**
 * The item under On Error: Continue, if something could not be added to it; otherwise, throws that again. n8n itself would
 * pass on all items as they came, as if nothing had failed.
 */
export function failedItem(
	context: IExecuteFunctions,
	{ json, ...item }: INodeExecutionData,
	caught: unknown,
): INodeExecutionData {
	if (!context.continueOnFail()) throw caught;
	const node = context.getNode();
	const { error } = failureOf(context, { item: 0, caught });
	if (node.onError === 'continueErrorOutput') {
		return { ...item, json: errorOutput(node, { error, details: json }) };
	}
	return { ...item, json: { ...json, error } };
}

/**
 * An item of a trigger with what the user wants to add to it. Throws what the requests threw, unless the user wants to go
 * on without.
 */
export async function withAdditions(
	context: IExecuteFunctions,
	item: INodeExecutionData,
	settings: Settings,
): Promise<INodeExecutionData> {
	const about = itemSchema.safeParse(item.json).data;
	// Not an event: the user has changed the item in the editor.
	if (!about) return item;
	const isAvailable = (part: Part) => about.event === 'DOCUMENT_COMPLETED' || !FILES.includes(part);
	const parts: Array<keyof typeof add> = settings.parts.filter(isPart).filter(isAvailable);
	if (settings.withSigningLinks && !about.isTest) parts.push('signingLinks');
	const unknown = settings.parts.filter((part) => !isPart(part));
	if (parts.length + unknown.length === 0) return item;
	const client = await HttpClient.of(context);
	let reading: Promise<IDataObject> | undefined;
	/** All that is added shares one request. */
	const document = async () =>
		await (reading ??= readNow(client, about.id, parts.includes('signedFiles')));
	const task = { context, client, item, document, about, settings };
	/** Goes on without a part, or throws. */
	const addedBy = async (part: keyof typeof add): Promise<Added> => {
		if (about.isTest) return OF_TEST;
		return await add[part](task).catch(async (error: unknown) => {
			if (!settings.withoutMissing && !(await isGone(error, task))) throw error;
			context.logger.warn(`${nameOfPart(part)} of ${about.id}: ${messageOf(error)}`);
			return { missing: [{ reason: messageOf(error) }] };
		});
	};
	const added = [
		...(await Promise.all(parts.map(async (part) => [part, await addedBy(part)] as const))),
		...unknown.map((part) => [part, UNKNOWN] as const),
	];
	const missing = added.flatMap(([part, { missing: all = [] }]) =>
		all.map((one) => ({ part, name: nameOfPart(part), ...one })),
	);
	const json = Object.assign({}, item.json, ...added.map(([, one]) => one.json)) as IDataObject;
	const binary = Object.assign(
		{},
		item.binary,
		...added.map(([, one]) => one.binary),
	) as IBinaryKeyData;
	return {
		...item,
		json: {
			...withUrl(json, client, await reading?.catch(() => undefined)),
			...(missing.length > 0 ? { missing } : {}),
		},
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
}

/** Whether there is no document any more, for example because the event was its end. */
async function isGone(error: unknown, { about, settings, document }: Task): Promise<boolean> {
	if (!isNotFound(error) || GONE_EVENTS.includes(about.event)) return isNotFound(error);
	// A file may be missing, too, and come with a retry.
	return Boolean(settings.wasThere) && (await document().then(() => false, isNotFound));
}

/** What a part adds to an item, and what of it is missing. */
interface Added {
	json?: IDataObject;
	binary?: IBinaryKeyData;
	missing?: Array<{ reason: string; fileName?: string }>;
}

const OF_TEST: Added = {
	missing: [{ reason: "This is a test from Documenso's dashboard: there is no such document." }],
};

const UNKNOWN: Added = { missing: [{ reason: "'Add to Output' has no such option." }] };

/** The document or template as Documenso has it now. A copy of Documenso's database may lag behind its completion. */
async function readNow(client: Client, id: string, isCompleted: boolean): Promise<IDataObject> {
	let document = await client.envelope(id);
	for (const lag of isCompleted ? LAGS_MS : []) {
		if (document.status === 'COMPLETED') break;
		await client.wait(lag);
		document = await client.envelope(id);
	}
	return document;
}

interface Task {
	context: IExecuteFunctions;
	client: Client;
	item: INodeExecutionData;
	document: () => Promise<IDataObject>;
	about: About;
	settings: Settings;
}

/** How each part is read. Throws what the request threw. */
const add: Record<Part | 'signingLinks', (task: Task) => Promise<Added>> = {
	details: async ({ document, settings }) => {
		const withTokens = settings.withSigningLinks;
		return { json: { details: shownRecord(await document(), { withTokens }) } };
	},

	values: async ({ document }) => {
		const filled = parse(filledSchema, await document());
		return { json: { values: filledValues(filled), changedBySigner: changedBySigner(filled) } };
	},

	signedFiles: async ({ context, client, document, settings }) => {
		const envelope = parse(withFiles, await document());
		// Until then, a file is not signed, whatever its name says (documenso-api.md: Downloads).
		if (envelope.status !== 'COMPLETED') {
			const status = envelope.status.toLowerCase();
			throw new Refusal(
				`The document isn't completed yet (status: ${status}), so its files are not signed`,
				'Retry this execution when the document is completed.',
			);
		}
		const { binary, failed } = await fetchSigned(context, client, envelope);
		const [first] = failed;
		if (first && !settings.withoutMissing) throw first.error;
		const missing = failed.map(({ fileName, error }) => ({ fileName, reason: messageOf(error) }));
		return { binary, missing };
	},

	certificate: async (task) => ({ binary: { certificate: await paper(task, 'certificate') } }),

	auditLog: async (task) => ({ binary: { auditLog: await paper(task, 'audit-log') } }),

	signingLinks: async ({ client, item, document }) => ({
		json: linksFor(item.json, client, await document()),
	}),
};

async function paper({ context, client, about }: Task, kind: Paper): Promise<IBinaryData> {
	const download = paperOf(about, kind);
	const file = await fetchPdf(context, client, download);
	if (!file) throw new Refusal(notAPdf(download.fileName));
	return file;
}
