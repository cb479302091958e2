import { z } from 'zod';

import { envelopeSchema, openRecipients } from '../../api/envelope';
import { parse } from '../../api/records';
import { input, limiting } from '../../engine/input';
import { custom } from '../../engine/kinds';
import { Refusal } from '../../engine/refusal';
import { numericId, type Schema } from '../../engine/values';
import { readNamed } from '../../envelope/named';
import { documentId } from '../../inputs/locators';

/** IDs from a list, or from text with commas between them. */
const ids: Schema<number[]> = z.preprocess((value) => {
	const list: unknown[] = [typeof value === 'string' ? value.split(',') : (value ?? [])].flat();
	return list.filter((one) => typeof one !== 'string' || one.trim() !== '');
}, z.array(numericId));

const waitedFor = envelopeSchema.pick({ id: true, status: true, recipients: true });

export const resend = custom({
	name: 'Resend',
	value: 'resend',
	action: 'Resend a document',
	description: 'Email the signing link again to everyone who has not acted yet, or to some of them',
	returns: '`id`, `recipients` with signing links, `resentTo`',
	effect: 'adds',
	inputs: {
		documentId,
		recipientIds: limiting(
			input(
				{
					displayName: 'Recipient Names or IDs',
					type: 'multiOptions',
					typeOptions: {
						loadOptionsMethod: 'getDocumentRecipients',
						loadOptionsDependsOn: ['documentId.value'],
					},
					default: [],
					description:
						'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
					hint: 'Leave empty for everyone who has not acted yet',
				},
				ids,
			),
		),
	},
	run: async ({ documentId: id, recipientIds }, { client }) => {
		const stored = await readNamed(client, 'documentId', id);
		const recipients = targetsOf(parse(waitedFor, stored), recipientIds);
		const sent = await client.post('/envelope/redistribute', { envelopeId: id, recipients });
		return [{ json: { ...sent, resentTo: recipients } }];
	},
});

/**
 * The service silently skips recipients who have acted, and IDs that it does not know
 * (documenso-api.md: Resending).
 */
function targetsOf(document: z.infer<typeof waitedFor>, chosen: number[]): number[] {
	const { id, status } = document;
	if (status !== 'PENDING') {
		throw new Refusal(
			`'Document' ${id} isn't pending (status: ${status.toLowerCase()}), so it cannot be sent again`,
			"Choose a document that was sent and is not finished. For a draft, use 'Document: Send'.",
		);
	}
	const waiting = openRecipients(document).map((recipient) => recipient.id);
	const idle = chosen.find((one) => !waiting.includes(one));
	if (idle !== undefined) {
		throw new Refusal(
			`'Recipient Names or IDs' has recipient ${idle}, who has already acted in ${id}, has nothing to do there, or is not one of its recipients`,
			`Recipients who have not acted: ${waiting.join(', ') || 'nobody'}.`,
		);
	}
	if (waiting.length === 0) {
		throw new Refusal(
			`'Document' ${id} has no recipient left to act`,
			'Everyone has acted, so there is nothing to resend. Leave this document out.',
		);
	}
	return chosen.length > 0 ? chosen : waiting;
}
