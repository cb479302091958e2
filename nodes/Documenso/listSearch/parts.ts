import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { z } from 'zod';

import { labelOf } from '../envelope/columns';
import { readEnvelope, type Envelope } from '../envelope/envelope';
import { Client } from '../api/client';
import { path } from '../api/path';

const attachmentsSchema = z.object({
	data: z.array(z.object({ id: z.string(), label: z.string() })),
});

/** The chosen document or template, under whichever name the operation asks for it. */
async function chosen(context: ILoadOptionsFunctions): Promise<{ client: Client; id: string }> {
	const parameters = context.getCurrentNodeParameters() ?? {};
	const name = ['envelopeId', 'documentId', 'templateId'].find((one) => one in parameters);
	const id = name && context.getCurrentNodeParameter(name, { extractValue: true });
	if (typeof id !== 'string' || id === '') {
		throw new NodeOperationError(context.getNode(), 'Choose the document or template first');
	}
	return { client: await Client.of(context), id };
}

async function chosenEnvelope(context: ILoadOptionsFunctions): Promise<Envelope> {
	const { client, id } = await chosen(context);
	return readEnvelope(await client.send({ method: 'GET', path: path`/envelope/${id}` }));
}

export function matching(filter = '', items: INodeListSearchItems[]): INodeListSearchResult {
	const text = filter.toLowerCase();
	return { results: items.filter(({ name }) => name.toLowerCase().includes(text)) };
}

export async function searchRecipients(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { recipients } = await chosenEnvelope(this);
	return matching(
		filter,
		recipients.map(({ id, name, email, role }) => ({
			name: `${[name, email].filter(Boolean).join(', ')} (${role.toLowerCase()})`,
			value: String(id),
		})),
	);
}

export async function searchFields(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { fields, recipients } = await chosenEnvelope(this);
	return matching(
		filter,
		fields.map((field) => {
			const owner = recipients.find(({ id }) => id === field.recipientId);
			const whose = owner ? ` of ${owner.name || owner.email}` : '';
			return {
				name: `${labelOf(field)} (${field.type.toLowerCase()}${whose})`,
				value: String(field.id),
			};
		}),
	);
}

export async function searchFiles(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { envelopeItems } = await chosenEnvelope(this);
	return matching(
		filter,
		envelopeItems.map(({ id, title }) => ({ name: title, value: id })),
	);
}

export async function searchAttachments(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { client, id } = await chosen(this);
	const query = { envelopeId: id };
	const body = await client.send({ method: 'GET', path: '/envelope/attachment', query });
	const { data } = attachmentsSchema.parse(body);
	return matching(
		filter,
		data.map(({ id: value, label }) => ({ name: label, value })),
	);
}
