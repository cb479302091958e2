import { readMeta } from '../../shared/api/envelope';
import { acts } from '../../shared/api/lifecycle';
import { hintAtPages, isWord, type Upload } from '../../shared/n8n/binary';
import type { Values } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';
import { Refusal, type Fault } from '../../shared/n8n/refusal';
import { tellUnknown } from '../inputs/fieldMeta';
import type { Recipient, recipientsWithFields } from '../inputs/recipients';
import { checkedPage, checkPlaceholders } from './filePages';
import {
	hasOddDots,
	isPlaceholder,
	ODD_DOTS,
	sharedAddresses,
	sharedTurns,
	unreachable,
	whoCanSign,
	whoIs,
	type Emailing,
	type Obstacle,
	type Party,
} from '../../shared/envelope/whoCanSign';

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
		return recipientsJson;
	}
	const recipients: Recipient[] = listed;
	for (const [index, { recipient, field }] of fields.entries()) {
		const row = `Fields > Row ${index + 1}`;
		const labels = { file: `${row} > Options > File`, page: `${row} > Page` };
		await locate(field, labels, paper);
		const owner = ownerOf(recipients, recipient, row);
		(owner.fields ??= []).push(field);
	}
	return recipients;
}

async function checkJson(recipients: Recipient[], paper: Paper) {
	for (const [row, { fields = [] }] of recipients.entries()) {
		for (const [index, field] of fields.entries()) {
			const place = `Recipients (JSON) > Row ${row + 1} > fields > Row ${index + 1}`;
			const labels = { file: `${place} > identifier`, page: `${place} > page` };
			await locate(field, labels, paper);
			tellUnknown(paper.item, field.type, field.fieldMeta ?? {});
		}
	}
}

/**
 * Refuses recipients who could not sign to the end, before anything is created. A draft may still lack addresses and
 * signature fields, and its recipients' placeholders in the PDF are seen only once it is there.
 */
export function checkRecipients(
	{ specifyRecipients, placeholdersInPdf }: RecipientValues,
	recipients: Recipient[],
	{ emailing, isSent, item }: { emailing: Emailing; isSent: boolean; item: Item },
) {
	const isJson = specifyRecipients === 'json';
	const label = isJson ? 'Recipients (JSON)' : 'Recipients';
	// For placeholders in a PDF the service would make up recipients and email them
	// (documenso-api.md: Placeholders in PDFs).
	if (isSent && recipients.length === 0) {
		throw new Refusal(
			`'${label}' is empty`,
			'Add at least one recipient: a document cannot be sent without one.',
		);
	}
	const parties = recipients.map(partyOf);
	const known = parties.filter(({ email }) => !isPlaceholder(email));
	const signing = { parties, ...emailing };
	const obstacles = [
		...whoCanSign(signing),
		...(placeholdersInPdf ? sharedAddresses(signing) : []),
		...(isSent ? sharedTurns(signing) : []),
		...unreachable(
			{ parties: isSent ? parties : known },
			{ isEmailed: true, site: item.client.site },
		),
	];
	const advice = `Add a field of type ${isJson ? 'SIGNATURE to their "fields"' : "Signature for them under 'Fields'"}. If the PDF marks it with a placeholder, turn on 'PDF Contains Placeholders'.`;
	const faults = obstacles
		.filter(({ kind }) => isSent || !COMPLETED_LATER.includes(kind))
		.filter(({ kind }) => kind !== 'noSignature' || !placeholdersInPdf)
		.map((one): Fault => {
			const who = one.kind === 'noSignature' ? `: ${one.party.email}` : '';
			return {
				column: `${label} > Row ${parties.indexOf(one.party) + 1}`,
				fault: one.problem + who,
				advice: one.kind === 'noSignature' ? advice : one.advice,
			};
		});
	if (faults.length > 0) throw Refusal.of(faults);
	const emails = recipients.map(({ email }) => email);
	const odd = emails.filter(hasOddDots);
	if (odd.length > 0) item.execution.hints.add(ODD_DOTS, odd.join(', '), 'warning');
	if (isSent && !recipients.some(acts)) {
		item.execution.hints.add(NOBODY_ACTS, emails.join(', '), 'warning');
	}
}

const NOBODY_ACTS =
	'Nobody has to sign: these recipients only get a copy. Documenso completes such a document as soon as it is sent.';

/** What a draft may still get. */
const COMPLETED_LATER: Array<Obstacle['kind']> = ['noSignature', 'idleAssistant'];

function partyOf({ fields = [], ...recipient }: Recipient): Party {
	return {
		...recipient,
		fields: fields.map(({ fieldMeta, ...field }) => ({
			...field,
			envelopeItemId: String(field.identifier ?? 0),
			fieldMeta: readMeta.parse(fieldMeta),
		})),
	};
}

/** A recipient by its place in the list, as in "2. Ada Miller (ada@example.com)". */
export function describeRecipient(
	{ name, email }: Pick<Recipient, 'name' | 'email'>,
	index: number,
): string {
	return `${index + 1}. ${whoIs({ name, email }) || 'not known yet'}`;
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

/**
 * Gives a field the numbers of its file and its page. Refuses one in a file, or on a page, that the document will not have, or
 * on which it would be misplaced.
 */
async function locate(
	field: Field,
	labels: { file: string; page: string },
	{ files, item, isMisplacedAllowed }: Paper,
) {
	const { identifier = 0 } = field;
	const file =
		typeof identifier === 'number'
			? files[identifier]
			: files.find(({ name }) => name === identifier);
	const list = files.map(({ name }, index) => `${name} (${index})`).join(', ');
	if (!file) {
		const fault = `'${labels.file}' is ${identifier}, but there is no such file`;
		throw new Refusal(fault, `The files are: ${list}.`);
	}
	// Documenso would take the first one.
	if (files.filter(({ name }) => name === identifier).length > 1) {
		const fault = `'${labels.file}' is ${identifier}, which is the name of several files`;
		throw new Refusal(fault, `Enter the number of the file instead: ${list}.`);
	}
	field.page = checkedPage(file, field.page, labels.page, isMisplacedAllowed);
	if (field.page > 1 && isWord(file)) {
		// Documenso decides how many pages it gets.
		await item.client.once(`hint at ${file.name}`, () => hintAtPages(item, file.name));
	}
	// Of a name, the service may read some characters otherwise.
	if (typeof identifier === 'string') field.identifier = files.indexOf(file);
}

/** The service stores addresses in lower case. */
function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
