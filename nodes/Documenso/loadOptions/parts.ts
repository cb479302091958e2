import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { readEnvelope, type Envelope } from '../envelope/envelope';
import { Client } from '../api/client';
import { path } from '../api/path';

export async function getTemplateFiles(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { envelopeItems } = await chosen(this, 'templateId');
	const titles = envelopeItems.map(({ title }) => title);
	return envelopeItems.map(({ id, title }) => ({
		name: title,
		// By its name a workflow can be read, and moved to a copy of the template.
		value: titles.filter((other) => other === title).length === 1 ? title : id,
	}));
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
