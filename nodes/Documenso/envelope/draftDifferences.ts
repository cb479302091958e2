import { envelopeSchema, type Envelope, type EnvelopeField } from '../../shared/api/envelope';
import type { UploadFile } from '../../shared/api/multipart';
import { isWord } from '../../shared/n8n/binary';
import { isBlank, isSameText } from '../../shared/n8n/values';
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
type DraftedRecipient = Drafted['recipients'][number];

/** In what a draft is not what is asked for. It may have more fields: Documenso adds those that a PDF marks with text. */
export function differencesOf(draft: object, asked: Asked): string[] {
	const { data } = drafted.safeParse(draft);
	if (!data) return [];
	const { title, recipients } = asked;
	const envelopeItems = [...data.envelopeItems].sort((a, b) => a.order - b.order);
	const left = new Set([...data.recipients].sort((a, b) => a.id - b.id));
	const differences: string[] = [];
	if (!isSameText(data.title, title)) differences.push('Title');
	if (!hasFiles(envelopeItems, asked.files)) differences.push('Files');
	for (const one of recipients) {
		const email = one.email.toLowerCase();
		const own = [...left].find((other) => other.email.toLowerCase() === email);
		if (!own) continue;
		left.delete(own);
		differences.push(...differencesAbout(one, own, { ...data, envelopeItems }));
	}
	for (const one of left) {
		if (!mayBeDefault(one, data)) differences.push(one.email || one.name);
	}
	return differences;
}

/** What a form cannot hold in the name of a file, it holds in this form. */
const IN_FORMS = /%(22|0a|0d)/gi;

/** Converted, a Word file may have another name. */
function hasFiles(envelopeItems: Drafted['envelopeItems'], files: UploadFile[]): boolean {
	if (envelopeItems.length !== files.length) return false;
	return files.every((file, index) => {
		const name = file.name.replace(IN_FORMS, decodeURIComponent);
		return isWord(file) || isSameText(envelopeItems[index]?.title ?? '', name);
	});
}

/** A team's default recipients have no order and no fields (documenso-api.md: Recipients). */
function mayBeDefault({ id, signingOrder }: DraftedRecipient, { fields }: Drafted): boolean {
	return !signingOrder && !fields.some(({ recipientId }) => recipientId === id);
}

function differencesAbout(asked: Recipient, own: DraftedRecipient, draft: Drafted): string[] {
	const { email, name, role, signingOrder, fields = [] } = asked;
	const theirs = draft.fields.filter(({ recipientId }) => recipientId === own.id);
	const missing = fields.filter((field) => !theirs.some((one) => isField(one, field, draft)));
	return [
		...(own.role === role ? [] : ['Role']),
		...(isSameText(own.name, name) ? [] : ['Name']),
		...((own.signingOrder ?? 0) === (signingOrder ?? 0) ? [] : ['Signing Order']),
		...missing.map(({ type, page }) => `${type} field on page ${page}`),
	].map((part) => `${part} of ${email}`);
}

type AskedField = NonNullable<Recipient['fields']>[number];

function isField(one: EnvelopeField, asked: AskedField, { envelopeItems }: Drafted): boolean {
	const { identifier = 0 } = asked;
	const file = typeof identifier === 'number' ? envelopeItems[identifier]?.id : undefined;
	return (
		one.type === asked.type &&
		one.page === asked.page &&
		one.envelopeItemId === file &&
		isNear(one.positionX, asked.positionX) &&
		isNear(one.positionY, asked.positionY) &&
		isSameText(contentOf(one.fieldMeta), contentOf(asked.fieldMeta))
	);
}

/** In percent of the page: the service rounds. */
function isNear(one: number, other: number): boolean {
	return Math.abs(one - other) < 0.01;
}

/** What a field says from the start, and which of its choices are ticked. */
function contentOf(meta: AskedField['fieldMeta'] | EnvelopeField['fieldMeta']): string {
	const { text, value, defaultValue, values = [] } = meta ?? {};
	const ticked = (values as Array<{ value?: unknown; checked?: unknown }>)
		.filter(({ checked }) => checked === true)
		.map((choice) => choice.value);
	return [text, value, defaultValue, ...ticked].map(plain).join('\n');
}

function plain(value: unknown): string {
	if (isBlank(value)) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}
