import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { readEnvelope, type Envelope } from '../envelope/envelope';
import { labelOf, prefillableFields } from '../envelope/prefill';
import { Client } from '../transport/client';
import { path } from '../transport/path';

export async function getTemplateRecipients(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { recipients } = await chosen(this, 'templateId');
	return recipients.map(({ id, name, email, role }) => ({
		name: `${name || email} (${role.toLowerCase()})`,
		value: readable(
			id,
			name,
			recipients.map((recipient) => recipient.name),
		),
		description: email,
	}));
}

export async function getTemplateFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const fields = prefillableFields(await chosen(this, 'templateId'));
	const labels = fields.map(({ fieldMeta }) => fieldMeta?.label);
	return fields.map((field) => {
		const value = readable(field.id, field.fieldMeta?.label, labels);
		const id = value === String(field.id) ? `, ID ${value}` : '';
		return { name: `${labelOf(field)} (${field.type.toLowerCase()}${id})`, value };
	});
}

/** The name where only one has it, so that a workflow can be read, and moved to a copy of the template. */
function readable(id: number, name: string | undefined, all: Array<string | undefined>): string {
	const sameName = all.filter((other) => other?.toLowerCase() === name?.toLowerCase());
	return name && sameName.length === 1 ? name : String(id);
}

export async function getTemplateFiles(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { envelopeItems } = await chosen(this, 'templateId');
	return envelopeItems.map(({ id, title }) => ({ name: title, value: id }));
}

export async function getDocumentRecipients(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { recipients } = await chosen(this, 'documentId');
	return recipients.map(({ id, name, email, role, signingStatus }) => ({
		name: `${name || email} (${role.toLowerCase()}, ${signingStatus.toLowerCase().replace('_', ' ')})`,
		value: id,
	}));
}

async function chosen(context: ILoadOptionsFunctions, name: string): Promise<Envelope> {
	const id = context.getCurrentNodeParameter(name, { extractValue: true }) as string;
	const client = await Client.of(context);
	return readEnvelope(await client.send({ method: 'GET', path: path`/envelope/${id}` }));
}
