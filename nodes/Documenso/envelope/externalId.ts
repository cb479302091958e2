import type { IDataObject } from 'n8n-workflow';

import { Memory } from '../memory';
import type { Params } from '../params';
import type { Client } from '../api/client';
import { readList, type Listed } from './envelope';
import { everywhere } from './folders';

/** By what a document is found again when the answer to its creation was lost. */
export interface Trace {
	externalId: string;
	/** Whether the id was made for this item, so that no other document has it. */
	isOwn: boolean;
	/** Whether the user gave the id for this item; a template's may be inherited instead. */
	isChosen: boolean;
	folderId?: string;
	/** Of everyone who is to get the document, as far as they are known: other items may have the same external id. */
	emails: string[];
}

interface Origin {
	externalId?: string | null;
	/** What the service falls back to. */
	inherited?: string | null;
	folderId?: string;
	emails: string[];
}

/** The external id for what an item creates: the user's or the template's, or else one of its own. */
export function traceFor(params: Params, origin: Origin): Trace {
	const { externalId, inherited, folderId, emails } = origin;
	const { context, itemIndex } = params;
	const memory = Memory.of(context);
	// A retry may be another execution, and an expression may give it another ID.
	const begun = memory.of(itemIndex).begun?.externalId;
	// Documenso stores it without blanks around it; a template may have them.
	const chosen = externalId || inherited?.trim();
	if (chosen) {
		const isChosen = Boolean(externalId);
		return { externalId: begun ?? chosen, isOwn: false, isChosen, folderId, emails };
	}
	const node = context.getNode().id.slice(0, 8);
	const own = begun ?? ['n8n', memory.execution, node, memory.run, itemIndex].join(':');
	return { externalId: own, isOwn: true, isChosen: false, folderId, emails };
}

/** The query of a list of one folder, or of the root. */
export function inFolder(folderId: string | undefined): IDataObject {
	return folderId ? { folderId } : {};
}

/** Those with an external id in one place, created since then (milliseconds since the epoch), newest first. */
export async function findIn(
	client: Client,
	{ externalId }: Trace,
	place: IDataObject,
	since: () => number,
): Promise<Listed[]> {
	const found: Listed[] = [];
	for await (const document of search(client, externalId, place)) {
		if (Date.parse(document.createdAt) < since()) break;
		if (document.externalId?.trim() === externalId) found.push(document);
	}
	return found;
}

/** A document with an external id, wherever it was moved since. */
export async function findAnywhere(
	client: Client,
	externalId: string,
): Promise<Listed | undefined> {
	for (const place of await everywhere(client, 'DOCUMENT')) {
		for await (const document of search(client, externalId, place)) {
			if (document.externalId?.trim() === externalId) return document;
		}
	}
	return undefined;
}

/**
 * The service has no exact filter: it searches in several columns, one folder at a time (contract §9.3). In what
 * it searches for, a backslash is an escape (observed §8).
 */
async function* search(client: Client, text: string, place: IDataObject): AsyncGenerator<Listed> {
	const escaped = text.replaceAll('\\', '\\\\');
	for (let page = 1, pages = 1; page <= pages; page++) {
		const query = { type: 'DOCUMENT', query: escaped, page, perPage: 100, ...place };
		const body = await client.send({ method: 'GET', path: '/envelope', query });
		const { data, totalPages } = readList(body);
		pages = totalPages;
		yield* data;
	}
}
