import { everywhere } from '../Documenso/envelope/folders';
import type { Client } from '../Documenso/api/client';
import type { Occurrence } from './comparison';
import type { Document } from './document';
import { listSome, readAll, withStatus } from './reading';
import { STEPS, stepsSince, timeOf, type Step } from './steps';

/** The status that a final step leaves; for the others, all documents are searched. */
const STATUS: Partial<Record<Step, string>> = {
	DOCUMENT_COMPLETED: 'COMPLETED',
	DOCUMENT_REJECTED: 'REJECTED',
	DOCUMENT_CANCELLED: 'CANCELLED',
};

/** For a test in the editor: a recent document for each selected event, if there is one. */
export async function examples(
	client: Client,
	events: string[],
	isWanted: (occurrence: Occurrence) => boolean,
): Promise<Occurrence[]> {
	const found: Occurrence[] = [];
	for (const step of STEPS.filter((name) => events.includes(name))) {
		const example = await exampleOf(client, step, isWanted);
		if (example) found.push(example);
	}
	const read = await readAll(
		client,
		found.map(({ document }) => document.id),
		() => false,
	);
	return found.map((occurrence) => ({
		...occurrence,
		document: read.get(occurrence.document.id) ?? occurrence.document,
	}));
}

async function exampleOf(
	client: Client,
	step: Step,
	isWanted: (occurrence: Occurrence) => boolean,
): Promise<Occurrence | undefined> {
	const places = await everywhere(client, 'DOCUMENT');
	const status = STATUS[step];
	for (const list of status ? withStatus(status, places) : places) {
		const documents = (await listSome(client, list)).filter(hasTaken(step));
		const example = documents.map((document) => as(step, document)).find(isWanted);
		if (example) return example;
	}
	return undefined;
}

function hasTaken(step: Step) {
	return (document: Document) => stepsSince(undefined, document).includes(step);
}

function as(step: Step, document: Document): Occurrence {
	return { step, document, time: timeOf(step, document), isRecalled: false };
}
