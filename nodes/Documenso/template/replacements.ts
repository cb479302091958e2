import { withoutEnding } from '../../shared/api/fileName';
import { uploadOf, type Upload } from '../../shared/n8n/binary';
import type { Item } from '../../shared/n8n/item';
import { Refusal } from '../../shared/n8n/refusal';
import { asSeen } from '../../shared/n8n/values';
import { namedFields } from '../../shared/envelope/labels';
import { pageFault } from '../envelope/filePages';
import { replacedFiles } from '../inputs/fillTemplate';
import type { GivenSettings } from '../inputs/settings';
import type { Template } from './columns';

/** A PDF, and the name or ID of the template's file that it replaces. */
interface Replacement {
	file: Upload;
	wanted: string;
}

/** Asks nothing of the service: bad input costs no request. */
export async function givenReplacements(
	{ replacedFiles: rows = [] }: GivenSettings,
	item: Item,
): Promise<Replacement[]> {
	return await Promise.all(
		rows.map(async ({ envelopeItemId: wanted, property }) => {
			return { wanted, file: await uploadOf(item, property) };
		}),
	);
}

/** The PDFs and `customDocumentData`, which says what file of the template each of them replaces. */
export function replacements(template: Template, given: Replacement[], isMisplacedAllowed = false) {
	const replaced = new Map<string, Upload>();
	for (const { file, wanted } of given) {
		const id = fileFor(template, wanted);
		if (replaced.has(id)) {
			throw refused(`has two rows for "${wanted}"`, 'Remove one of the two rows.');
		}
		// A name of our own, because the service takes the first of two files with the same name
		// (documenso-api.md: Replaced files).
		replaced.set(id, { ...file, name: `replacement-${replaced.size + 1}.pdf` });
	}
	const rows = [...replaced.keys()];
	// The service takes the template's fields over as they are.
	for (const [index, { envelopeItemId, page }] of template.fields.entries()) {
		const row = rows.indexOf(envelopeItemId);
		const { file } = given[row] ?? {};
		const wrong = file && pageFault(file, page, isMisplacedAllowed);
		if (!wrong) continue;
		const name = namedFields(template.fields, template)[index]?.name;
		throw refused(
			`has a file in row ${row + 1} that does not fit: the template's field "${name}" is on page ${page}, but ${wrong.fault}`,
			wrong.advice ?? 'Use a file that has this page, or move the field in the template.',
		);
	}
	const customDocumentData = [...replaced].map(([envelopeItemId, { name }]) => ({
		identifier: name,
		envelopeItemId,
	}));
	return { files: [...replaced.values()], customDocumentData };
}

/** The ID of a file, found by ID or by name. Copies of a template have the same names, but other IDs. */
function fileFor({ envelopeItems }: Template, wanted: string): string {
	const found = envelopeItems.filter(
		({ id, title }) => id === wanted || bareTitle(title) === bareTitle(wanted),
	);
	const [file] = found;
	if (file && found.length === 1) return file.id;
	throw refused(
		`has "${wanted}", which is ${file ? 'the name of several files' : 'not a file'} of the template`,
		`The template's files are: ${envelopeItems.map(({ id, title }) => `${title} (${id})`).join(', ')}.`,
	);
}

function refused(fault: string, advice?: string): Refusal {
	return Refusal.about(replacedFiles.property.displayName, fault, advice);
}

function bareTitle(title: string): string {
	return withoutEnding(asSeen(title).toLowerCase());
}
