import { isSignature } from '../api/envelope';
import type { Upload } from '../engine/binary';
import type { Values } from '../engine/input';
import type { Item } from '../engine/item';
import { Refusal } from '../engine/refusal';
import { tellUnknown } from '../inputs/fieldMeta';
import type { Recipient, recipientsWithFields } from '../inputs/recipients';
import { checkPlaceholders, OTHER_PAGE, pageFault } from './filePages';

type RecipientValues = Values<typeof recipientsWithFields>;
type Field = NonNullable<Recipient['fields']>[number];

/** Where fields are put. */
interface Paper {
	files: Upload[];
	item: Item;
	isMisplacedAllowed: boolean;
}

/** The recipients of a new document with their fields, from the lists or the JSON in the editor. */
export async function recipientsOf(
	{ recipientsJson, recipients: listed = [], fields = [], placeholdersInPdf }: RecipientValues,
	paper: Paper,
): Promise<Recipient[]> {
	const { files, isMisplacedAllowed } = paper;
	if (placeholdersInPdf && !isMisplacedAllowed) checkPlaceholders(files);
	if (recipientsJson) {
		await checkJson(recipientsJson, paper);
		checkSpots(recipientsJson, files);
		return recipientsJson;
	}
	const recipients: Recipient[] = listed;
	for (const [index, { recipient, field }] of fields.entries()) {
		const row = `Fields > Row ${index + 1}`;
		const labels = { file: `${row} > Options > File`, page: `${row} > Page` };
		await checkPlace(field, labels, paper);
		const owner = ownerOf(recipients, recipient, row);
		(owner.fields ??= []).push(field);
	}
	checkSpots(recipients, files);
	return recipients;
}

/** Refuses fields of two people on one spot: the editor puts every new field there. */
function checkSpots(recipients: Recipient[], files: Upload[]) {
	const pages = new Map<string, Array<{ field: Field; email: string }>>();
	for (const { email, fields = [] } of recipients) {
		for (const field of fields) {
			const page = `${fileOf(field, files)?.key} ${field.page}`;
			const before = pages.get(page) ?? [];
			const hidden = before.find((other) => other.email !== email && hides(other.field, field));
			if (hidden) {
				const { type, positionX: left, positionY: top } = field;
				throw new Refusal(
					`'Fields' has fields of ${hidden.email} and ${email} on one spot: ${type.toLowerCase()} on page ${field.page}, at ${left} % from the left and ${top} % from the top`,
					"Move one of them with 'Left (%)' and 'Top (%)': one would hide the other.",
				);
			}
			pages.set(page, before);
			before.push({ field, email });
		}
	}
}

/** Whether two fields share a corner, or more than half of the smaller one. */
function hides(one: Field, other: Field): boolean {
	if (one.positionX === other.positionX && one.positionY === other.positionY) return true;
	const shared = (start: 'positionX' | 'positionY', size: 'width' | 'height') =>
		Math.min(one[start] + one[size], other[start] + other[size]) -
		Math.max(one[start], other[start]);
	const width = Math.max(0, shared('positionX', 'width'));
	const height = Math.max(0, shared('positionY', 'height'));
	const smaller = Math.min(one.width * one.height, other.width * other.height);
	return width * height > smaller / 2;
}

async function checkJson(recipients: Recipient[], paper: Paper) {
	for (const [row, { fields = [] }] of recipients.entries()) {
		for (const [index, field] of fields.entries()) {
			const place = `Recipients (JSON) > Row ${row + 1} > fields > Row ${index + 1}`;
			const labels = { file: `${place} > identifier`, page: `${place} > page` };
			await checkPlace(field, labels, paper);
			tellUnknown(paper.item, field.type, field.fieldMeta ?? {});
		}
	}
}

/** Refuses what the service could not send, before anything is created. */
export function checkSendable(
	{ specifyRecipients, placeholdersInPdf }: RecipientValues,
	recipients: Recipient[],
) {
	const isJson = specifyRecipients === 'json';
	const label = isJson ? 'Recipients (JSON)' : 'Recipients';
	// For placeholders in a PDF the service would make up recipients and email them
	// (documenso-api.md: Placeholders in PDFs).
	if (recipients.length === 0) {
		throw new Refusal(
			`'${label}' is empty`,
			'Add at least one recipient: a document cannot be sent without one.',
		);
	}
	if (placeholdersInPdf) return;
	const row = recipients.findIndex(
		({ role, fields }) => role === 'SIGNER' && !fields?.some(isSignature),
	);
	const unable = recipients[row];
	if (!unable) return;
	throw new Refusal(
		`'${label} > Row ${row + 1}' is a signer without a signature field: ${unable.email}`,
		`Add a field of type ${isJson ? 'SIGNATURE to their "fields"' : "Signature for them under 'Fields'"}. If the PDF marks it with a placeholder, turn on 'PDF Contains Placeholders'.`,
	);
}

/** A recipient by its place in the list, as in "2. Ada Miller (ada@example.com)". */
export function describeRecipient(
	{ name, email }: Pick<Recipient, 'name' | 'email'>,
	index: number,
): string {
	return `${index + 1}. ${whoIs({ name, email }) || 'not known yet'}`;
}

/** A person as in "Ada Miller (ada@example.com)". */
export function whoIs({ name, email }: Pick<Recipient, 'name' | 'email'>): string {
	return name && email ? `${name} (${email})` : name || email;
}

/** Finds a recipient by the place in the list (r1, as in placeholders in a PDF), or by email or name. */
function ownerOf(recipients: Recipient[], wanted: string, row: string): Recipient {
	const place = /^r?(\d+)$/i.exec(wanted)?.[1];
	const owners = recipients.filter(({ email, name }, index) =>
		place ? index + 1 === Number(place) : isSame(email, wanted) || isSame(name, wanted),
	);
	const [owner] = owners;
	if (wanted && owner && owners.length === 1) return owner;
	const unclear = owner ? `means ${owners.length} recipients` : 'is not one of the recipients';
	throw new Refusal(
		`'${row} > Recipient Name or ID' ${wanted ? `is "${wanted}", which ${unclear}` : 'is missing'}`,
		recipients.length > 0
			? `The recipients are: ${recipients.map(describeRecipient).join(', ')}. Choose one, or give r1 for the first, r2 for the second, and so on.`
			: "There are no recipients yet: add them under 'Recipients'.",
	);
}

function fileOf(
	{ identifier = 0 }: Pick<Field, 'identifier'>,
	files: Upload[],
): Upload | undefined {
	if (typeof identifier === 'number') return files[identifier];
	return files.find(({ name }) => name === identifier);
}

/** Refuses a field in a file, or on a page, that the document will not have, or on which it would be misplaced. */
async function checkPlace(
	{ identifier = 0, page }: Field,
	labels: { file: string; page: string },
	{ files, item, isMisplacedAllowed }: Paper,
) {
	const file = fileOf({ identifier }, files);
	if (!file) {
		throw new Refusal(
			`'${labels.file}' is ${identifier}, but there is no such file`,
			`The files are: ${files.map(({ name }, index) => `${name} (${index})`).join(', ')}.`,
		);
	}
	const wrong = await pageFault(item, page, file, isMisplacedAllowed);
	if (!wrong) return;
	throw new Refusal(`'${labels.page}' is ${page}, but ${wrong.fault}`, wrong.advice ?? OTHER_PAGE);
}

/** The service stores addresses in lower case. */
function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
