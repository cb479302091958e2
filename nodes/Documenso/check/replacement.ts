import { parse } from '../../shared/api/records';
import type { Item } from '../../shared/n8n/item';
import { Refusal } from '../../shared/n8n/refusal';
import {
	isMadeOtherwise,
	refusedId,
	type Existing,
	type NewDocument,
} from '../creation/newDocument';
import { isTool } from '../engine/tool';
import { compare } from './compare';
import { comparedSchema, type Wanted } from './comparison';

/** The document that an item asks for, with what existing ones are compared with. */
export function withComparison(wanted: Wanted, item: Item): NewDocument {
	const { document, inRun } = wanted;
	const isReplacing = document.ifExternalIdExists === 'replace';
	if (isReplacing) checkReplacing(document, item);
	const comparedWith = (existing: Existing) => {
		// Other sheets may have the same numbers.
		if (isReplacing && existing.templateId !== document.templateId) {
			throw refusedId(
				`is that of ${existing.id}, which was made from another template, or without one`,
				'Only a document of this template is replaced. Give the item another External ID.',
			);
		}
		if (isMadeOtherwise(document, existing)) return { differences: [], doubts: [] };
		const compared = compare({ ...wanted, filled: inRun }, parse(comparedSchema, existing));
		// A title that the row does not give is no reason to send another document.
		const differences = compared.differences.filter(
			({ about, cause }) => !about.title || cause !== 'changedAfterSending',
		);
		const added = compared.others.filter(({ mayBeDefault }) => !mayBeDefault);
		return {
			differences: differences.map(({ name }) => name),
			doubts: [
				...compared.notCompared.map(({ name }) => name),
				...added.map(({ recipient }) => recipient.email),
			],
		};
	};
	return { ...document, comparedWith };
}

function checkReplacing({ sending, wasPreviewed }: NewDocument, { context }: Item) {
	if (sending === 'no') {
		throw refused(
			"cancels a document and sends a new one, so it needs 'Send Now'",
			'Turn it on, or choose another way.',
		);
	}
	if (isTool(context) && !wasPreviewed) {
		throw refused(
			'is not for models alone: it cancels documents',
			"Have the document approved: 'Template: Preview Document', a person's approval, and its digest under 'Options > Only As Previewed'.",
		);
	}
}

function refused(fault: string, advice: string): Refusal {
	return Refusal.about('If External ID Exists > Replace If Different', fault, advice);
}
