import type { Params } from '../params';
import { templateRecipientRow, type TemplateRecipientRow } from '../schemas/template';
import type { Envelope, EnvelopeRecipient } from './envelope';
import { signersWithoutSignature } from './envelope';

/** What Documenso puts in place of people who are not known yet (contract §4, §1.24). */
const PLACEHOLDER_EMAIL = /^(recipient\.\d+|direct\.link)@documenso\.com$|^$/i;

/** One of a template's recipients as the service takes it for a new document (contract §1.12). */
interface UsedRecipient {
	id: number;
	email: string;
	name: string;
	signingOrder?: number;
}

/** The rows as typed. Reads nothing from the service, so that bad input costs no request. */
export function templateRecipientRows(params: Params): TemplateRecipientRow[] {
	return params.rows('recipients', templateRecipientRow);
}

/** The people who take the places of a template's recipients; who is not named keeps theirs. */
export function usedRecipients(
	params: Params,
	template: Envelope,
	rows: TemplateRecipientRow[],
	allowPlaceholders: boolean,
): UsedRecipient[] {
	const used = rows.map((row) => {
		const { id, name, signingOrder } = recipientFor(params, template, row.recipientId);
		return {
			id,
			email: row.email,
			// Without a name the service would empty the template's.
			name: row.name ?? name,
			...orderOf(row.signingOrder ?? signingOrder),
		};
	});
	const twice = used.find(({ id }, index) => used.findIndex((one) => one.id === id) < index);
	if (twice) {
		throw params.refuse(
			'recipients',
			`cannot be used: two rows are for the template's recipient ${twice.id} (${twice.email} is the second)`,
			'Give each recipient of the template one row. For more signers, add recipients to the template.',
		);
	}
	const emailOf = (id: number, own: string) => used.find((one) => one.id === id)?.email ?? own;
	const left = template.recipients.find(({ id, email }) =>
		PLACEHOLDER_EMAIL.test(emailOf(id, email)),
	);
	if (!left || allowPlaceholders) return used;
	throw params.refuse(
		'recipients',
		`lack someone for the template's recipient "${labelOf(left)}"`,
		"Add a row for them. To create the document all the same, switch on 'Allow Placeholder Recipients' under 'Additional Fields'.",
	);
}

/** A template that cannot be sent is refused before a document is made of it. */
export function checkTemplateSendable(params: Params, template: Envelope) {
	const signers = signersWithoutSignature(template);
	if (signers.length === 0) return;
	throw params.refuse(
		'templateId',
		`cannot be sent: in "${template.title}", ${signers.join(', ')} must sign but has no signature field`,
		"Add the field to the template in Documenso, or switch 'Send Now' off.",
	);
}

/** By id, or by the name or e-mail that the template has, so that a workflow fits a copied template too. */
function recipientFor(params: Params, template: Envelope, wanted: string): EnvelopeRecipient {
	const text = wanted.toLowerCase();
	const found = template.recipients.filter(
		({ id, name, email }) =>
			String(id) === wanted || name.toLowerCase() === text || email.toLowerCase() === text,
	);
	const [recipient] = found;
	if (recipient && found.length === 1) return recipient;
	throw params.refuse(
		'recipients',
		`cannot be used: "${wanted}" ${recipient ? 'means several recipients' : 'is not a recipient'} of the template`,
		`The template's recipients are: ${template.recipients.map((one) => `${one.id} ${labelOf(one)}`).join(', ')}.`,
	);
}

function labelOf({ name, email, role }: EnvelopeRecipient): string {
	return `${name || email || 'unnamed'} (${role})`;
}

function orderOf(signingOrder: number | null | undefined) {
	return typeof signingOrder === 'number' ? { signingOrder } : {};
}
