import { envelopeSchema, type Envelope, type EnvelopeField } from '../../shared/api/envelope';
import type { UploadFile } from '../../shared/api/multipart';
import { isWord } from '../../shared/n8n/binary';
import { asSeen, isBlank } from '../../shared/n8n/values';
import type { Recipient } from '../inputs/recipients';

/** What a document from PDFs is asked for with, as far as a draft tells it. What is in the files, it does not. */
interface Asked {
	title: string;
	recipients: Recipient[];
	files: UploadFile[];
}

const drafted = envelopeSchema.pick({
	...{ title: true, recipients: true, fields: true, envelopeItems: true },
});

type Drafted = Pick<Envelope, 'title' | 'recipients' | 'fields' | 'envelopeItems'>;

/** In what a draft is not what is asked for. It may have more recipients and fields: Documenso adds some itself. */
export function differencesOf(draft: object, asked: Asked): Array<{ name: string }> {
	const { data } = drafted.safeParse(draft);
	if (!data) return [];
	const names = [
		...(isSeenAs(data.title, asked.title) ? [] : ['Title']),
		...(hasFiles(data, asked.files) ? [] : ['Files']),
		...asked.recipients.flatMap((recipient) => differencesAbout(recipient, data)),
	];
	return names.map((name) => ({ name }));
}

function isSeenAs(one: string, other: string): boolean {
	return asSeen(one) === asSeen(other);
}

/** Converted, a Word file may have another name. */
function hasFiles({ envelopeItems }: Drafted, files: UploadFile[]): boolean {
	if (envelopeItems.length !== files.length) return false;
	const inOrder = [...envelopeItems].sort((a, b) => a.order - b.order);
	return files.every(
		(file, index) =>
			isWord(file) || isSeenAs(inOrder[index]?.title ?? '', file.name.replaceAll('%22', '"')),
	);
}

function differencesAbout(asked: Recipient, { recipients, fields }: Drafted): string[] {
	const { email, name, role, signingOrder } = asked;
	const alike = recipients.filter((one) => one.email.toLowerCase() === email.toLowerCase());
	const [own] = alike;
	// Two with one address cannot be told apart.
	if (!own || alike.length > 1) return [];
	const theirs = fields.filter(({ recipientId }) => recipientId === own.id);
	const missing = (asked.fields ?? []).filter(
		(field) => !theirs.some((one) => isField(one, field)),
	);
	return [
		...(own.role === role ? [] : ['Role']),
		...(isSeenAs(own.name, name) ? [] : ['Name']),
		...(!signingOrder || own.signingOrder === signingOrder ? [] : ['Signing Order']),
		...missing.map(({ type, page }) => `${type} field on page ${page}`),
	].map((part) => `${part} of ${email}`);
}

type AskedField = NonNullable<Recipient['fields']>[number];

function isField(
	drafted: EnvelopeField,
	{ type, page, positionX, positionY, fieldMeta }: AskedField,
) {
	const isThere =
		drafted.type === type &&
		drafted.page === page &&
		isNear(drafted.positionX, positionX) &&
		isNear(drafted.positionY, positionY);
	const saysTheSame = CONTENT.every((key) => {
		const said = fieldMeta?.[key];
		return isBlank(said) || isSeenAs(drafted.fieldMeta?.[key] ?? '', String(said));
	});
	return isThere && saysTheSame;
}

/** What a field says from the start. */
const CONTENT = ['text', 'value', 'defaultValue'] as const;

/** In percent of the page: the service rounds. */
function isNear(one: number, other: number): boolean {
	return Math.abs(one - other) < 0.01;
}
