import type { UploadFile } from '../api/multipart';
import { isSignature } from '../api/envelope';
import type { Values } from '../engine/input';
import type { Item } from '../engine/item';
import { Refusal } from '../engine/refusal';
import type { Recipient, recipientsWithFields } from '../inputs/recipients';
import { tooShort } from './pages';

type RecipientValues = Values<typeof recipientsWithFields>;

/** The recipients of a new document with their fields, from the lists or the JSON in the editor. */
export async function recipientsOf(
	{ recipientsJson, recipients = [], fields = [] }: RecipientValues,
	files: UploadFile[],
	item: Item,
): Promise<Recipient[]> {
	if (!recipientsJson) return await recipientsFromRows({ recipients, fields }, files, item);
	for (const [row, { fields: own = [] }] of recipientsJson.entries()) {
		for (const [index, field] of own.entries()) {
			const place = `row ${row + 1}, fields, row ${index + 1}`;
			const labels = { file: `${place}, identifier`, page: `${place}, page` };
			await checkPlace('Recipients (JSON)', labels, { ...field, files }, item);
		}
	}
	return recipientsJson;
}

/** Refuses what the service would refuse to send, while nothing has been created yet. */
export function checkSendable(
	{ specifyRecipients, placeholdersInPdf }: RecipientValues,
	recipients: Recipient[],
) {
	const isJson = specifyRecipients === 'json';
	const label = isJson ? 'Recipients (JSON)' : 'Recipients';
	// For placeholders without recipients the service would make some up (documenso-api.md: Placeholders in PDFs),
	// and email them.
	if (recipients.length === 0) {
		throw new Refusal(`'${label}' is empty: a document is sent to someone`);
	}
	if (placeholdersInPdf) return;
	const row = recipients.findIndex(
		({ role, fields }) => role === 'SIGNER' && !fields?.some(isSignature),
	);
	const unable = recipients[row];
	if (!unable) return;
	throw new Refusal(
		`'${label}' cannot be used: row ${row + 1}: the signer ${unable.email} has no signature field`,
		`Add a field of type Signature for them${isJson ? ' to their "fields"' : " under 'Fields'"}. If the PDF marks it with a placeholder, switch on 'PDF Contains Placeholders'.`,
	);
}

/** A recipient by its place in the list, as in "2. Ada Miller (ada@example.com)". */
export function describeRecipient(
	{ name, email }: Pick<Recipient, 'name' | 'email'>,
	index: number,
): string {
	const who = name && email ? `${name} (${email})` : name || email || 'not known yet';
	return `${index + 1}. ${who}`;
}

async function recipientsFromRows(
	given: {
		recipients: NonNullable<RecipientValues['recipients']>;
		fields: NonNullable<RecipientValues['fields']>;
	},
	files: UploadFile[],
	item: Item,
): Promise<Recipient[]> {
	const recipients: Recipient[] = given.recipients;
	for (const [index, { recipient, field }] of given.fields.entries()) {
		const row = `row ${index + 1}`;
		const labels = { file: `${row}, Options, File`, page: `${row}, Page` };
		await checkPlace('Fields', labels, { ...field, files }, item);
		const owner = ownerOf(recipients, recipient, row);
		(owner.fields ??= []).push(field);
	}
	return recipients;
}

/** By the place in the list, as a placeholder in a PDF gives it, or by email or name. */
function ownerOf(recipients: Recipient[], wanted: string, row: string): Recipient {
	const place = /^r?(\d+)$/i.exec(wanted)?.[1];
	const owners = recipients.filter(({ email, name }, index) =>
		place ? index + 1 === Number(place) : isSame(email, wanted) || isSame(name, wanted),
	);
	const [owner] = owners;
	if (wanted && owner && owners.length === 1) return owner;
	const unclear = owner ? `means ${owners.length} of the recipients` : 'is none of the recipients';
	throw new Refusal(
		`'Fields' cannot be used: ${row}, Recipient Name or ID: ${wanted ? `"${wanted}" ${unclear}` : 'is missing'}`,
		recipients.length > 0
			? `The recipients are: ${recipients.map(describeRecipient).join(', ')}. Choose one, or give r1 for the first, r2 for the second, and so on.`
			: "There are no recipients yet: add them under 'Recipients'.",
	);
}

/** Refuses a field in a file, or on a page, that the document will not have. */
async function checkPlace(
	label: string,
	labels: { file: string; page: string },
	field: { identifier?: string | number; page: number; files: UploadFile[] },
	item: Item,
) {
	const { identifier = 0, page, files } = field;
	const file =
		typeof identifier === 'number'
			? files[identifier]
			: files.find((one) => one.name === identifier);
	if (!file) {
		throw new Refusal(
			`'${label}' cannot be used: ${labels.file}: there is no file ${identifier}`,
			`The files are: ${files.map((one, index) => `${index} ${one.name}`).join(', ')}.`,
		);
	}
	const fault = await tooShort(item, page, file);
	if (fault)
		throw new Refusal(`'${label}' cannot be used: ${labels.page}: is ${page}, but ${fault}`);
}

/** The service lower-cases addresses. */
function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
