import type { IDataObject } from 'n8n-workflow';

import { acts } from '../../shared/api/lifecycle';
import { withoutEnding } from '../../shared/api/fileName';
import type { Template } from '../template/columns';
import type { Prepared } from '../template/use';
import { EDITED, type Compared, type Comparison, type Difference, type Task } from './comparison';
import { compareConstants, compareFields, compareValues, copiedFields } from './fields';
import { newerThan, pairingOf } from './pairing';
import { compareOthers, comparePeople, peopleIn } from './people';
import { isSameText } from './sameValue';

/** Compares what a row asks for with the document that it has. What only signers fill in is no difference. */
export function compare(prepared: Prepared, document: Compared): Comparison {
	const asked = peopleIn(prepared);
	const isNewer = newerThan(document.recipients);
	const older = asked.filter((one) => !isNewer(one));
	const pairing = pairingOf(prepared.template, older, document);
	const comparison: Comparison = { differences: [], notCompared: [], others: [] };
	const copied = copiedFields(document);
	const task = { ...prepared, asked, document, pairing, copied, comparison };
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

function compareTitle({ filled, document, record, comparison }: Task) {
	if (isSameText(filled.title, document.title)) return;
	const { title: own } = filled.content.override as IDataObject;
	if (own === undefined && isEditedSince(record, document)) {
		comparison.notCompared.push({ name: 'Title', reason: EDITED });
		return;
	}
	comparison.differences.push({
		...{ name: 'Title', row: filled.title, document: document.title, about: { title: true } },
		// Nobody gave it another one when it was made.
		cause: own === undefined ? 'changedAfterSending' : 'sent',
	});
}

/** Whether one signs after another, as the row or the template wants it. */
function compareOrder({ asked, filled, template, document, record, comparison }: Task) {
	const { signingOrder: own } = filled.content.override as { signingOrder?: string };
	const wanted = own ?? template.documentMeta?.signingOrder ?? null;
	const its = document.documentMeta?.signingOrder ?? null;
	const isSame = (wanted === 'SEQUENTIAL') === (its === 'SEQUENTIAL');
	if (isSame || asked.filter(acts).length < 2) return;
	const name = 'Signing Order';
	if (own === undefined && isEditedSince(record, document)) {
		comparison.notCompared.push({ name, reason: EDITED });
		return;
	}
	comparison.differences.push({
		...{ name, row: wanted, document: its, about: {} },
		cause: own === undefined ? 'changedAfterSending' : 'sent',
	});
}

/** Not everything that is edited shows in the time, but the title does. */
function isEditedSince({ updatedAt }: IDataObject, { createdAt }: Compared): boolean {
	return typeof updatedAt !== 'string' || Date.parse(updatedAt) > Date.parse(createdAt);
}

/** What was sent keeps its files, and nothing tells when those of a template were edited. */
function compareFiles({ template, document, comparison }: Task) {
	const titlesOf = ({ envelopeItems }: Pick<Compared, 'envelopeItems'>) =>
		[...envelopeItems].sort((a, b) => a.order - b.order).map(({ title }) => withoutEnding(title));
	const [row, its] = [titlesOf(template), titlesOf(document)];
	const isSame = (title: string, index: number) => isSameText(title, its[index] ?? '');
	if (row.length === its.length && row.every(isSame)) return;
	comparison.notCompared.push({ name: 'Files', reason: EDITED });
}

/** The template that a document was made from is not the row's. */
export function otherTemplate({ title }: Template, document: Compared): Difference {
	return {
		...{ name: 'Template', row: title, document: document.title },
		...{ cause: 'sent', about: {} },
	};
}
