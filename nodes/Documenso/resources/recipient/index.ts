import { z } from 'zod';

import { isSignature } from '../../../shared/api/envelope';
import { changesTo } from '../../engine/oneAtATime';
import { path } from '../../../shared/api/path';
import { allAddedSchema, parse, recordsSchema } from '../../../shared/api/records';
import { getFrom } from '../../../shared/api/request';
import { atLeastOne, collection } from '../../../shared/n8n/collections';
import { limiting, notice, required, text, textOf } from '../../../shared/n8n/input';
import { custom, perItem } from '../../engine/kinds';
import { Refusal } from '../../../shared/n8n/refusal';
import type { Resource } from '../../engine/resource';
import { email } from '../../../shared/n8n/values';
import { judgedSchema, withoutRecipient, withRecipient } from '../../envelope/afterChange';
import { keepRemoved, keepTold, readInTest } from '../../envelope/emailed';
import { changeDocument, judgeRecipients, tellUnsigned } from '../../envelope/sentDocument';
import { checkOwner, readNamed } from '../../../shared/envelope/named';
import { simplifyRecipient } from '../../../shared/envelope/simplify';
import {
	documentId,
	envelopeId,
	envelopeOfPart,
	recipientId,
} from '../../../shared/inputs/locators';
import { recipientDetails, recipientSettings } from '../../inputs/recipientSettings';
import { getMany } from './getMany';

const add = custom({
	name: 'Add',
	value: 'add',
	action: 'Add a recipient',
	description:
		'Add a recipient to a document or template; to let them sign a document that was sent, use Field: Add and then Document: Resend',
	returns: 'the recipient',
	effect: 'adds',
	inputs: {
		envelopeId,
		...recipientDetails,
		email: required(recipientDetails.email),
		additionalFields: collection('Additional Fields', recipientSettings),
	},
	simplify: simplifyRecipient,
	run: async ({ envelopeId: id, additionalFields, ...details }, item) => {
		const recipient = { ...details, ...additionalFields };
		const change = withRecipient(recipient);
		const { data } = await changeDocument(item, id, change, judgeRecipients, async () => {
			const body = { envelopeId: id, data: [recipient] };
			return await item.client.post('/envelope/recipient/create-many', body, allAddedSchema);
		});
		if (details.role === 'SIGNER') tellUnsigned(item, details);
		return data.map((json) => ({ json }));
	},
});

const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a recipient',
	description: 'Delete a recipient who has not acted yet, with their fields',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: {
		emailNotice: notice('Execute step emails a recipient who was asked to sign, too.'),
		envelopeId: envelopeOfPart,
		recipientId,
	},
	run: async ({ envelopeId: named, recipientId: id }, item) => {
		const { client } = item;
		const known = withToken.pick({ envelopeId: true });
		const { envelopeId } = await client.record(path`/envelope/recipient/${id}`, id, known);
		checkOwner(named, envelopeId, 'recipient');
		const change = withoutRecipient(id);
		return await changeDocument(item, envelopeId, change, judgeRecipients, async (before) => {
			await client.post('/envelope/recipient/delete', { recipientId: id });
			keepRemoved(item.execution, before, id);
			return [{ json: { id, deleted: true } }];
		});
	},
});

const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get a recipient',
	description: 'Get a recipient and what they have done so far',
	returns: 'the recipient',
	effect: 'reads',
	inputs: { envelopeId: envelopeOfPart, recipientId },
	simplify: simplifyRecipient,
	request: ({ recipientId: id }) => getFrom(path`/envelope/recipient/${id}`),
	items: (recipient, { envelopeId: named }) => {
		checkOwner(named, recipient.envelopeId, 'recipient');
		return [recipient];
	},
});

const withToken = z.object({
	id: z.number(),
	envelopeId: z.string(),
	email: z.string(),
	name: z.string(),
	role: z.string(),
	signingStatus: z.string(),
	token: z.string(),
});

const getSigningLink = perItem({
	name: 'Get Signing Link',
	value: 'getSigningLink',
	action: 'Get the signing link of a recipient',
	description: 'Get the link to pass on yourself; anyone who has it can sign for the recipient',
	returns: '`signingUrl`, and the recipient',
	reveals: 'links',
	effect: 'reads',
	inputs: { envelopeId: envelopeOfPart, recipientId },
	request: ({ recipientId: id }) => getFrom(path`/envelope/recipient/${id}`),
	// The service gives no link here (documenso-api.md: Signing links).
	answer: withToken,
	items: ({ token, ...recipient }, { envelopeId: named }, { client }) => {
		checkOwner(named, recipient.envelopeId, 'recipient');
		if (token === '') {
			throw new Refusal(
				`Documenso shows no signing link for ${recipient.email}`,
				"It hides the links in documents of other users: use an API token of the document's owner.",
			);
		}
		return [{ ...recipient, signingUrl: client.signingUrl(token) }];
	},
});

const rejectOnBehalf = custom({
	name: 'Reject on Behalf',
	value: 'rejectOnBehalf',
	action: 'Reject on behalf of a recipient',
	description: 'Reject a sent document for a recipient; this ends it for everyone',
	returns: 'the recipient',
	effect: 'changes',
	inputs: {
		documentId,
		recipientId,
		reason: text('Reason', {
			placeholder: 'e.g. The rent was wrong',
			required: true,
			hint: 'Execute step emails the recipient and all others who were asked to sign, too.',
		}),
		additionalFields: collection('Additional Fields', {
			actAsEmail: limiting(
				textOf('Act As', email, {
					placeholder: 'name@email.com',
					description: 'Email of the team member to record as rejecting',
				}),
			),
		}),
	},
	simplify: simplifyRecipient,
	run: async ({ documentId: envelopeId, recipientId: id, reason, additionalFields }, item) => {
		const { client, execution } = item;
		const before = await readInTest(item, envelopeId);
		const body = { envelopeId, reason, ...additionalFields };
		const json = await client.post(path`/envelope/recipient/${id}/reject`, body);
		keepTold(execution, before, id);
		return [{ json }];
	},
});

const auth = z.array(z.string()).default([]);
const authOptions = z.object({ accessAuth: auth, actionAuth: auth }).nullish();
const toUpdate = judgedSchema.extend({
	recipients: z.array(judgedSchema.shape.recipients.element.extend({ authOptions })),
});

const update = custom({
	name: 'Update',
	value: 'update',
	action: 'Update a recipient',
	description:
		'Update a recipient who has not acted yet; in a sent document, use Document: Resend afterwards to invite them again',
	returns: 'the recipient',
	effect: 'changes',
	inputs: {
		envelopeId,
		recipientId,
		updateFields: atLeastOne(
			collection('Update Fields', {
				...recipientDetails,
				// The name of the person before would stay beside a new address.
				name: limiting(recipientDetails.name),
				...recipientSettings,
			}),
		),
	},
	simplify: simplifyRecipient,
	line: ({ envelopeId: ofEnvelope }) => changesTo(ofEnvelope),
	run: async ({ envelopeId: ofEnvelope, recipientId: id, updateFields }, item) => {
		const { client } = item;
		const stored = parse(toUpdate, await readNamed(client, 'envelopeId', ofEnvelope));
		const before = stored.recipients.find((one) => one.id === id);
		if (!before) {
			throw new Refusal(
				`There is no recipient with the ID ${id} in ${ofEnvelope}`,
				'Choose one from the list. A recipient belongs to one document or template.',
			);
		}
		const after = { ...before, ...updateFields };
		const own = stored.fields.filter(({ recipientId: owner }) => owner === id);
		if (after.role === 'SIGNER' && !own.some(isSignature)) tellUnsigned(item, after);
		judgeRecipients(item, ofEnvelope, stored, withRecipient(after)(stored));
		// The service would reset what is left out.
		const recipient = { id, ...before.authOptions, ...updateFields };
		const body = { envelopeId: ofEnvelope, data: [recipient] };
		const { data } = await client.post('/envelope/recipient/update-many', body, recordsSchema);
		return data.map((json) => ({ json }));
	},
});

export const recipient: Resource = {
	name: 'Recipient',
	value: 'recipient',
	description: 'A person who signs, approves, views or gets a copy',
	operations: [getMany, getSigningLink, add, get, update, rejectOnBehalf, remove],
	default: 'add',
	defaultOfTool: getMany.value,
};
