import type { Client } from '../Documenso/api/client';
import { everywhere } from '../Documenso/envelope/folders';
import { occurrenceOf, type Occurrence } from './comparison';
import { listSome, readAll, withStatus } from './reading';
import { FINAL_STEPS, STEPS, stepsSince, type Step } from './steps';

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
	const ids = found.map(({ document }) => document.id);
	const read = await readAll(client, ids);
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
	// A step that leaves no final status may have happened to any document.
	const [status] = [...FINAL_STEPS].find(([, final]) => final === step) ?? [];
	for (const list of status ? withStatus(status, places) : places) {
		const example = (await listSome(client, list))
			.filter((document) => stepsSince(undefined, document).includes(step))
			.map((document) => occurrenceOf(step, document))
			.find(isWanted);
		if (example) return example;
	}
	return undefined;
}
