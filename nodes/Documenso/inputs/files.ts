import { z } from 'zod';

import { foundFile, type FileReference } from '../../shared/n8n/binary';
import { limiting, text, textOf } from '../../shared/n8n/input';

/** Names of binary fields separated by commas, or files that an expression has found. */
const fileReferences = z.unknown().transform((value, context): FileReference[] => {
	const found = z.array(foundFile).min(1).safeParse([value].flat());
	if (found.success) return found.data;
	const names = typeof value === 'string' ? value.split(',').map((one) => one.trim()) : [];
	const given = names.filter((name) => name !== '');
	if (given.length > 0) return given;
	const isEmpty = value === undefined || value === null || value === '';
	const fault = isEmpty ? 'is empty' : 'names no field';
	const message = `${fault}: enter the name of a binary field, such as data, without an expression`;
	context.addIssue({ code: z.ZodIssueCode.custom, message });
	return z.NEVER;
});

const inputFilesOf = (kind: string, description: string) =>
	limiting(
		textOf('Input Binary Field(s)', fileReferences, {
			required: true,
			default: 'data',
			placeholder: 'e.g. data',
			hint: `The name of the input binary field containing the ${kind}, or several names separated by commas`,
			description,
		}),
	);

export const inputPdfs = inputFilesOf('PDF', 'The PDFs that make up the document, in this order');

export const inputPdfsOrWordFiles = inputFilesOf(
	'PDF or Word file',
	'The files that make up the document, in this order. Word files (.docx) only work if your Documenso is set up to convert them.',
);

export const outputFile = text('Put Output File in Field', {
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
});
