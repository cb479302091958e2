import { z } from 'zod';

import type { Params } from '../params';
import { fieldRow, recipientRow, recipientSchema, type Recipient } from '../schemas/recipients';
import type { UploadFile } from '../transport/multipart';
import { isSignature } from './envelope';

/** The recipients of a new document with their fields, from the lists or the JSON in the editor. */
export function recipientsOf(params: Params, files: UploadFile[]): Recipient[] {
	const source = params.string('specifyRecipients');
	const recipients =
		source === 'json'
			? params.json('recipientsJson', z.array(recipientSchema))
			: recipientsFromRows(params);
	checkFiles(params, source === 'json' ? 'recipientsJson' : 'fields', recipients, files);
	return recipients;
}

/** Refuses what the service would refuse to send, while nothing has been created yet. */
export function checkSendable(params: Params, recipients: Recipient[]) {
	const name = params.string('specifyRecipients') === 'json' ? 'recipientsJson' : 'recipients';
	if (params.boolean('placeholdersInPdf')) return;
	if (recipients.length === 0) throw params.refuse(name, 'is empty: a document is sent to someone');
	const unable = recipients.find(
		({ role, fields }) => role === 'SIGNER' && !fields?.some(isSignature),
	);
	if (!unable) return;
	throw params.refuse(
		name,
		`cannot be used: the signer ${unable.email} has no signature field`,
		`Add a field of type Signature for them${name === 'recipients' ? " under 'Fields'" : ' to their "fields"'}. If the PDF marks it with a placeholder, switch on 'PDF Contains Placeholders'.`,
	);
}

function recipientsFromRows(params: Params): Recipient[] {
	const recipients: Recipient[] = params.rows('recipients', recipientRow);
	const rows = params.rows('fields', fieldRow);
	for (const { recipientEmail, field } of rows) {
		const owners = recipients.filter(({ email }) => isSame(email, recipientEmail));
		const [owner] = owners;
		if (!owner) {
			throw params.refuse(
				'fields',
				`cannot be used: there is no recipient with the email ${recipientEmail}`,
				`The recipients are: ${recipients.map(({ email }) => email).join(', ') || 'none'}.`,
			);
		}
		if (owners.length > 1) {
			throw params.refuse(
				'fields',
				`cannot be used: ${owners.length} recipients have the email ${recipientEmail}`,
				"Use 'Specify Recipients: Using JSON', where each recipient holds its own fields.",
			);
		}
		(owner.fields ??= []).push(field);
	}
	return recipients;
}

function checkFiles(params: Params, name: string, recipients: Recipient[], files: UploadFile[]) {
	const names = files.map((file) => file.name);
	for (const { identifier } of recipients.flatMap(({ fields }) => fields ?? [])) {
		const known =
			identifier === undefined ||
			(typeof identifier === 'number' ? identifier < files.length : names.includes(identifier));
		if (known) continue;
		throw params.refuse(
			name,
			`cannot be used: there is no file ${identifier}`,
			`The files are: ${names.map((file, index) => `${index} ${file}`).join(', ')}.`,
		);
	}
}

/** The service lower-cases addresses. */
function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
