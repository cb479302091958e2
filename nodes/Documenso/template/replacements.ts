import type { UploadFile } from '../api/multipart';
import { pdfOf } from '../engine/binary';
import type { Values } from '../engine/input';
import type { Item } from '../engine/item';
import type { replacedFiles } from '../inputs/fillTemplate';
import { missingPage } from '../envelope/pages';
import { fieldNames, type Template } from './columns';

/** A PDF and the name or id of the template's file whose place it takes. */
interface Replacement {
	file: UploadFile;
	wanted: string;
}

type ReplacementInputs = { replacedFiles: typeof replacedFiles };

/** Reads nothing from the service, so that bad input costs no request. */
export async function givenReplacements(
	rows: Values<ReplacementInputs>['replacedFiles'],
	{ context, index }: Item,
): Promise<Replacement[]> {
	return await Promise.all(
		rows.map(async ({ envelopeItemId: wanted, property }) => {
			return { wanted, file: await pdfOf(context, index, property) };
		}),
	);
}

/** The PDFs that take the places of the template's, and which is which. */
export async function replacements(
	item: Item<ReplacementInputs>,
	template: Template,
	given: Replacement[],
) {
	const files: UploadFile[] = [];
	const customDocumentData: Array<{ identifier: string; envelopeItemId: string }> = [];
	for (const [index, { file, wanted }] of given.entries()) {
		// By a name of our own: of two files with one name the service would take the first, and a number counts among
		// the files that are mapped only (documenso-api.md: Replaced files).
		const identifier = `replacement-${index + 1}.pdf`;
		const envelopeItemId = fileFor(item, template, wanted);
		if (customDocumentData.some((earlier) => earlier.envelopeItemId === envelopeItemId)) {
			throw item.refuse('replacedFiles', `cannot be used: two rows replace "${wanted}"`);
		}
		files.push({ ...file, name: identifier });
		customDocumentData.push({ identifier, envelopeItemId });
	}
	const replaced = customDocumentData.map(({ envelopeItemId }) => envelopeItemId);
	await checkPages(item, template, given, replaced);
	return { files, customDocumentData };
}

/** Refuses a file that lacks the page of a field of the template, which is put onto it as it is. */
async function checkPages(
	item: Item<ReplacementInputs>,
	template: Template,
	given: Replacement[],
	replaced: string[],
) {
	for (const [index, { envelopeItemId, page }] of template.fields.entries()) {
		const row = replaced.indexOf(envelopeItemId);
		const file = given[row]?.file;
		const fault = file && (await missingPage(item, page, file));
		if (!fault) continue;
		const name = fieldNames(template.fields, template)[index];
		throw item.refuse(
			'replacedFiles',
			`cannot be used: row ${row + 1}: the template's field "${name}" is on page ${page}, but ${fault}`,
			'Use a file that has this page, or move the field in the template.',
		);
	}
}

/** By its name, which a copy of the template has too, or by its id. */
function fileFor(
	item: Item<ReplacementInputs>,
	{ envelopeItems }: Template,
	wanted: string,
): string {
	const found = envelopeItems.filter(
		({ id, title }) => id === wanted || stem(title) === stem(wanted),
	);
	const [file] = found;
	if (file && found.length === 1) return file.id;
	throw item.refuse(
		'replacedFiles',
		`cannot be used: "${wanted}" ${file ? 'is the name of several files' : 'is not a file'} of the template`,
		`The template's files are: ${envelopeItems.map(({ id, title }) => `${title} (${id})`).join(', ')}.`,
	);
}

function stem(title: string): string {
	return title
		.trim()
		.toLowerCase()
		.replace(/\.pdf$/, '');
}
