import { readEnvelope, type Envelope } from '../../envelope/envelope';
import { envelopeId, readNamed } from '../../envelope/read';
import { documentId } from '../../fields/locators';
import { custom } from '../../operation';
import type { Params } from '../../params';
import { json } from '../../transport/body';

export const resend = custom({
	name: 'Resend',
	value: 'resend',
	action: 'Resend a document',
	description: 'Mail the signing link again, to everyone who has not acted or to some of them',
	endpoint: 'GET /envelope/{envelopeId}, POST /envelope/redistribute',
	addsEachTime: true,
	returns: '`id`, `recipients` with signing links, `resentTo`',
	properties: [
		documentId,
		{
			displayName: 'Recipient Names or IDs',
			name: 'recipientIds',
			type: 'multiOptions',
			typeOptions: {
				loadOptionsMethod: 'getDocumentRecipients',
				loadOptionsDependsOn: ['documentId.value'],
			},
			default: [],
			description:
				'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			hint: 'Leave empty for everyone who has not acted',
		},
	],
	run: async (params, client) => {
		const id = envelopeId(params, 'documentId');
		const document = readEnvelope(await readNamed(params, client, 'documentId'));
		const recipients = targetsOf(params, document);
		const body = json({ envelopeId: id, recipients });
		const sent = await client.send({ method: 'POST', path: '/envelope/redistribute', body });
		return [{ json: { ...sent, resentTo: recipients } }];
	},
});

/** The service passes over who has acted, and ids it does not know, and says success (observed §4). */
function targetsOf(params: Params, { id, status, recipients }: Envelope): number[] {
	if (status !== 'PENDING') {
		throw params.refuse(
			'documentId',
			`is ${id}, which is ${status.toLowerCase()}: only a document that was sent and is not finished can be sent again`,
		);
	}
	const waiting = recipients
		.filter(({ role, signingStatus }) => role !== 'CC' && signingStatus === 'NOT_SIGNED')
		.map((recipient) => recipient.id);
	const chosen = params.ids('recipientIds');
	const idle = chosen.find((one) => !waiting.includes(one));
	if (idle !== undefined) {
		throw params.refuse(
			'recipientIds',
			`cannot be used: recipient ${idle} has acted already, or is not a recipient of ${id} who has to`,
			`Who has not acted: ${waiting.join(', ') || 'nobody'}.`,
		);
	}
	if (waiting.length === 0) {
		throw params.refuse('documentId', `is ${id}, in which nobody is left to act`);
	}
	return chosen.length > 0 ? chosen : waiting;
}
