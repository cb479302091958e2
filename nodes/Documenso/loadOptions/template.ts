import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { readEnvelope, type Envelope } from '../envelope/envelope';
import { labelOf, prefillableFields } from '../envelope/prefill';
import { Client } from '../transport/client';
import { path } from '../transport/path';

export async function getTemplateRecipients(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { recipients } = await chosenTemplate(this);
	return recipients.map(({ id, name, email, role }) => ({
		name: `${name || email} (${role.toLowerCase()})`,
		value: String(id),
		description: email,
	}));
}

export async function getTemplateFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return prefillableFields(await chosenTemplate(this)).map((field) => ({
		name: `${labelOf(field)} (${field.type.toLowerCase()})`,
		value: String(field.id),
	}));
}

async function chosenTemplate(context: ILoadOptionsFunctions): Promise<Envelope> {
	const id = context.getCurrentNodeParameter('templateId', { extractValue: true }) as string;
	const client = await Client.of(context);
	return readEnvelope(await client.send({ method: 'GET', path: path`/envelope/${id}` }));
}
