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

/** The document that an item asks for, with what it is compared with, and with Replace If Different, what gives way to it. */
export function withComparison(wanted: Wanted, item: Item): NewDocument {
	const { document, inRun, mayReplace = () => true } = wanted;
	const comparedWith = (existing: Existing) => {
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
	if (document.ifExternalIdExists !== 'replace') {
		const differencesIn = (draft: Existing) =>
			isMadeOtherwise(document, draft) ? [] : comparedWith(draft).differences;
		return { ...document, differencesIn };
	}
	if (document.sending === 'no') {
		throw refused(
			"cancels a document and sends a new one, so it needs 'Send Now'",
			'Turn it on, or choose another way.',
		);
	}
	if (isTool(item.context) && !document.isApproved) {
		throw refused(
			'is not for models alone: it cancels documents',
			"Have the document approved: 'Template: Preview Document', a person's approval, and its digest under 'Options > Only As Previewed'.",
		);
	}
	return {
		...document,
		replacing: {
			comparedWith: (existing) => {
				// Other sheets may have the same numbers.
				if (existing.templateId !== document.templateId) {
					throw refusedId(
						`is that of ${existing.id}, which was made from another template, or without one`,
						'Only a document of this template is replaced. Give the item another External ID.',
					);
				}
				return comparedWith(existing);
			},
			mayReplace,
		},
	};
}

function refused(fault: string, advice: string): Refusal {
	return Refusal.about('If External ID Exists > Replace If Different', fault, advice);
}
