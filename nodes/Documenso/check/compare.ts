import type { IDataObject } from 'n8n-workflow';

import { acts } from '../../shared/api/lifecycle';
import { withoutEnding } from '../../shared/api/fileName';
import { isSameText } from '../../shared/n8n/values';
import {
	EDITED,
	nothingCompared,
	type Compared,
	type Comparison,
	type Difference,
	type Task,
	type Wanted,
} from './comparison';
import { compareConstants, compareFields, compareValues, copiedFields } from './fields';
import { newerThan, pairingOf } from './pairing';
import { compareOthers, comparePeople, peopleIn } from './people';

/** Compares what a row asks for with the document that it has. What only signers fill in is no difference. */
export function compare(wanted: Wanted, document: Compared): Comparison {
	const asked = peopleIn(wanted);
	const isNewer = newerThan(document.recipients);
	const older = asked.filter((one) => !isNewer(one));
	const pairing = pairingOf(wanted.template, older, document);
	const comparison = nothingCompared();
	const copied = copiedFields(document);
	const task = { ...wanted, asked, document, pairing, copied, comparison };
	comparePeople(task);
	compareOthers(task);
	compareTitle(task);
	compareOrder(task);
	compareFiles(task);
	compareValues(task);
	compareConstants(task);
	compareFields(task);
	return comparison;
}

function compareTitle(task: Task) {
	const { filled, document } = task;
	if (isSameText(filled.title, document.title)) return;
	const { title: own } = filled.content.override;
	const difference = { name: 'Title', row: filled.title, document: document.title };
	addSetting(task, own, { ...difference, about: { title: true } });
}

/** Whether one signs after another, as the row or the template wants it. */
function compareOrder(task: Task) {
	const { asked, filled, template, document } = task;
	const { signingOrder: own } = filled.content.override as { signingOrder?: string };
	const wanted = own ?? template.documentMeta?.signingOrder ?? null;
	const its = document.documentMeta?.signingOrder ?? null;
	const isSame = (wanted === 'SEQUENTIAL') === (its === 'SEQUENTIAL');
	if (isSame || asked.filter(acts).length < 2) return;
	addSetting(task, own, { name: 'Signing Order', row: wanted, document: its, about: {} });
}

/** A difference in what the row gives as `own`, or else the template: nobody gave it another one when it was made. */
function addSetting(
	{ document, record, comparison }: Task,
	own: unknown,
	difference: Omit<Difference, 'cause'>,
) {
	if (own === undefined && isEditedSince(record, document)) {
		comparison.notCompared.push({ name: difference.name, reason: EDITED });
		return;
	}
	const cause = own === undefined ? 'changedAfterSending' : 'sent';
	comparison.differences.push({ ...difference, cause });
}

/** Not everything that is edited shows in the time, but the title does. */
function isEditedSince({ updatedAt }: IDataObject, { createdAt }: Compared): boolean {
	return typeof updatedAt !== 'string' || Date.parse(updatedAt) > Date.parse(createdAt);
}

/** What was sent keeps its files, and nothing tells when those of a template were edited. */
function compareFiles({ template, document, comparison }: Task) {
	// Documenso removes one ending from the title of a copied file, and there may be two.
	const titlesOf = ({ envelopeItems }: Pick<Compared, 'envelopeItems'>) =>
		[...envelopeItems]
			.sort((a, b) => a.order - b.order)
			.map(({ title }) => withoutEnding(withoutEnding(title)));
	const [row, its] = [titlesOf(template), titlesOf(document)];
	const isSame = (title: string, index: number) => isSameText(title, its[index] ?? '');
	if (row.length === its.length && row.every(isSame)) return;
	comparison.notCompared.push({ name: 'Files', reason: EDITED });
}
