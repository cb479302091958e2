import type { Item } from '../../shared/n8n/item';
import { Refusal } from '../../shared/n8n/refusal';
import { escaped } from '../../shared/n8n/nodeError';
import { isLeftOut } from '../../shared/envelope/leftOut';
import { cutTitle, testId, type Asked, type ExternalId } from './newDocument';
import { readDraft } from './send';
import { deleteOwn, type Creation, type There } from './state';

/** What a test changes of a document. */
interface Testable<Recipient> {
	title: string;
	externalId: ExternalId;
	/** All that the document will have. */
	recipients: Recipient[];
}

/** The document as it is in this run: if that is a test, with nobody in it but the tester. */
export function asInRun<Recipient extends { email: string }>(
	{ execution: { testAddress } }: Item,
	real: Testable<Recipient>,
): Testable<Recipient> {
	if (testAddress === undefined) return real;
	return {
		title: cutTitle(`[TEST] ${real.title}`),
		externalId: testId(real.externalId),
		recipients: real.recipients.map((recipient, index) =>
			isLeftOut(recipient) ? recipient : { ...recipient, email: addressOf(testAddress, index + 1) },
		),
	};
}

/** Each recipient has another one, because Documenso tells recipients apart by their addresses. */
function addressOf(testAddress: string, number: number | string): string {
	const at = testAddress.lastIndexOf('@');
	const local = testAddress.slice(0, at);
	return `${local}${local.includes('+') ? '-' : '+'}${number}${testAddress.slice(at)}`;
}

/** The tester has all addresses with a number, and the one without. */
function isOfTester(email: string, testAddress: string): boolean {
	const [address, own] = [email.toLowerCase(), testAddress.toLowerCase()];
	const [before = '', after = ''] = addressOf(own, '\n').split('\n');
	const isNumbered = address.startsWith(before) && address.endsWith(after);
	const number = address.slice(before.length, address.length - after.length);
	return address === own || (isNumbered && /^\d+$/.test(number));
}

/** Says where the emails go. */
export function hintAtTest([first]: Asked[]) {
	const { testAddress } = first?.item.execution ?? {};
	if (!first || testAddress === undefined) return;
	const [one, two] = [1, 2].map((number) => escaped(addressOf(testAddress, number)));
	first.item.execution.hints.say(
		`Test: all emails of these documents go to ${one}, ${two} and so on, and the recipients get none, because the workflow was run manually.`,
		'warning',
	);
}

/**
 * In a test, reads a draft before it is sent or handed on: Documenso adds the default recipients of a team itself. The
 * draft is refused, and deleted if it is the item's own, if it has any other recipient.
 */
export async function throwIfForOthers(creation: Creation, state: There): Promise<There> {
	const { document, item } = creation;
	const { testAddress } = item.execution;
	if (testAddress === undefined || state.state !== 'draft') return state;
	// What somebody else has made is only sent.
	if (!state.isOwn && document.sending === 'no') return state;
	const { id } = state;
	const { recipients } = await readDraft(creation, state);
	const emails = recipients.map(({ email }) => email);
	const others = emails.filter((email) => !isOfTester(email, testAddress));
	if (others.length === 0) return state;
	const isDeleted = state.isOwn && (await deleteOwn(creation, id));
	const what = isDeleted ? 'was deleted' : 'was not sent: delete it in Documenso';
	throw new Refusal(
		`'Options > In Manual Executions, Send To' is ${testAddress}, but the document would go to ${others.join(', ')}, too. The draft ${id} ${what}`,
		"Documenso adds a team's default recipients, and recipients for the placeholders in a PDF that has none. Remove the default recipients from the team's settings while you test, or use the token of a team without any; for a PDF with placeholders, add the recipients in the node.",
		isDeleted ? { deletedDocumentId: id } : { documentId: id },
	);
}
