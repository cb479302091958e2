import { z } from 'zod';

import type { Params } from '../params';
import { fieldRow, recipientRow, recipientSchema, type Recipient } from '../schemas/recipients';
import type { UploadFile } from '../transport/multipart';
import { isSignature } from './envelope';
import { tooShort } from './pages';

/** The recipients of a new document with their fields, from the lists or the JSON in the editor. */
export async function recipientsOf(params: Params, files: UploadFile[]): Promise<Recipient[]> {
	return params.string('specifyRecipients') === 'json'
		? await recipientsFromJson(params, files)
		: await recipientsFromRows(params, files);
}

/** Refuses what the service would refuse to send, while nothing has been created yet. */
export function checkSendable(params: Params, recipients: Recipient[]) {
	const name = params.string('specifyRecipients') === 'json' ? 'recipientsJson' : 'recipients';
	// For placeholders without recipients the service would make some up (contract §4), and mail them.
	if (recipients.length === 0) throw params.refuse(name, 'is empty: a document is sent to someone');
	if (params.boolean('placeholdersInPdf')) return;
	const row = recipients.findIndex(
		({ role, fields }) => role === 'SIGNER' && !fields?.some(isSignature),
	);
	const unable = recipients[row];
	if (!unable) return;
	throw params.refuse(
		name,
		`cannot be used: row ${row + 1}: the signer ${unable.email} has no signature field`,
		`Add a field of type Signature for them${name === 'recipients' ? " under 'Fields'" : ' to their "fields"'}. If the PDF marks it with a placeholder, switch on 'PDF Contains Placeholders'.`,
	);
}

/** A recipient by its place in the list, as in "2. Ada Miller (ada@example.com)". */
export function listed({ name, email }: Pick<Recipient, 'name' | 'email'>, index: number): string {
	const who = name && email ? `${name} (${email})` : name || email || 'not known yet';
	return `${index + 1}. ${who}`;
}

async function recipientsFromJson(params: Params, files: UploadFile[]): Promise<Recipient[]> {
	const recipients = params.json('recipientsJson', z.array(recipientSchema));
	for (const [row, { fields = [] }] of recipients.entries()) {
		for (const [index, field] of fields.entries()) {
			const place = `row ${row + 1}, fields, row ${index + 1}`;
			const inputs = { file: `${place}, identifier`, page: `${place}, page` };
			await checkPlace(params, 'recipientsJson', inputs, { ...field, files });
		}
	}
	return recipients;
}

async function recipientsFromRows(params: Params, files: UploadFile[]): Promise<Recipient[]> {
	const recipients: Recipient[] = params.rows('recipients', recipientRow);
	for (const [index, { recipient, field }] of params.rows('fields', fieldRow).entries()) {
		const row = `row ${index + 1}`;
		const inputs = { file: `${row}, Options, File`, page: `${row}, Page` };
		await checkPlace(params, 'fields', inputs, { ...field, files });
		const owner = ownerOf(params, recipients, recipient, row);
		(owner.fields ??= []).push(field);
	}
	return recipients;
}

/** By the place in the list, as a placeholder in a PDF gives it, or by email or name. */
function ownerOf(params: Params, recipients: Recipient[], wanted: string, row: string): Recipient {
	const place = /^r?(\d+)$/i.exec(wanted)?.[1];
	const owners = recipients.filter(({ email, name }, index) =>
		place ? index + 1 === Number(place) : isSame(email, wanted) || isSame(name, wanted),
	);
	const [owner] = owners;
	if (wanted && owner && owners.length === 1) return owner;
	const unclear = owner ? `means ${owners.length} of the recipients` : 'is none of the recipients';
	throw params.refuse(
		'fields',
		`cannot be used: ${row}, Recipient Name or ID: ${wanted ? `"${wanted}" ${unclear}` : 'is missing'}`,
		recipients.length > 0
			? `The recipients are: ${recipients.map(listed).join(', ')}. Choose one, or give r1 for the first, r2 for the second, and so on.`
			: "There are no recipients yet: add them under 'Recipients'.",
	);
}

/** Refuses a field in a file, or on a page, that the document will not have. */
async function checkPlace(
	params: Params,
	name: string,
	inputs: { file: string; page: string },
	field: { identifier?: string | number; page: number; files: UploadFile[] },
) {
	const { identifier = 0, page, files } = field;
	const file =
		typeof identifier === 'number'
			? files[identifier]
			: files.find((one) => one.name === identifier);
	if (!file) {
		throw params.refuse(
			name,
			`cannot be used: ${inputs.file}: there is no file ${identifier}`,
			`The files are: ${files.map((one, index) => `${index} ${one.name}`).join(', ')}.`,
		);
	}
	const fault = await tooShort(params, page, file);
	if (fault) throw params.refuse(name, `cannot be used: ${inputs.page}: is ${page}, but ${fault}`);
}

/** The service lower-cases addresses. */
function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
