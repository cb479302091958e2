import type { IDataObject } from 'n8n-workflow';

import type { Instance } from '../../emulator/instance';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { clock } from '../../nodes/shared/api/clock';
import { automatic, byId, type Suite } from './suite';

/** Compares rows with the documents that were made for them from the rental agreement. */
export const CHECK = {
	resource: 'template',
	operation: 'checkDocuments',
	templateId: byId(RENTAL_AGREEMENT.id),
	columns: automatic,
};

/** What the check says of a row. */
export interface Told extends IDataObject {
	verdict: string;
	document: IDataObject | null;
	others: string[];
	differences: Array<IDataObject & { name: string; cause: string }>;
	notCompared: Array<{ name: string; reason: string }>;
	advice: string;
}

export const itemsOf = (rows: IDataObject[]) => rows.map((json) => ({ json }));

export async function checked(suite: Suite, rows: IDataObject[], parameters: IDataObject = {}) {
	const output = await suite.outputOf({ ...CHECK, ...parameters }, itemsOf(rows));
	return output.map(({ documensoCheck }) => documensoCheck as Told);
}

/** What makes parts of the local Documenso's documents. */
export const partsOf = ({ service }: Suite) =>
	({ store: service.store, now: () => new Date(clock.now()) }) as Instance;
