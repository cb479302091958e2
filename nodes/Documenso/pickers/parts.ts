import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
	NodeParameterValue,
} from 'n8n-workflow';
import { z } from 'zod';

import { HttpClient, type Client } from '../../shared/api/client';
import { envelopeSchema, type Envelope } from '../../shared/api/envelope';
import type { Schema } from '../../shared/api/records';
import { labelOf } from '../../shared/envelope/labels';
import { describeRecipient } from '../envelope/recipients';
import { matching, picker } from '../../shared/pickers/picker';

export const attachmentsSchema = z.object({
	data: z.array(z.object({ id: z.string(), label: z.string() })),
});

/**
 * The chosen document or template: operations have different names for this input. Undefined if none is chosen yet, or if
 * the editor cannot evaluate the expression: no reason for an error beside an input that may stay empty.
 */
async function chosen(
	context: ILoadOptionsFunctions,
): Promise<{ client: Client; id: string } | undefined> {
	const parameters = context.getCurrentNodeParameters() ?? {};
	const name = ['envelopeId', 'documentId', 'templateId'].find((one) => one in parameters);
	const entered = name && context.getCurrentNodeParameter(name, { extractValue: true });
	const id = typeof entered === 'string' ? entered.trim() : '';
	// An expression may arrive as it is written.
	if (id === '' || id.startsWith('=')) return undefined;
	return { client: await HttpClient.of(context), id };
}

async function chosenEnvelope<Part extends Partial<Envelope>>(
	context: ILoadOptionsFunctions,
	schema: Schema<Part>,
): Promise<Part | undefined> {
	const known = await chosen(context);
	return await known?.client.envelope(known.id, schema);
}

const withRecipients = envelopeSchema.pick({ recipients: true });
const withFields = envelopeSchema.pick({ recipients: true, fields: true });
const withFiles = envelopeSchema.pick({ envelopeItems: true });

/** Searches the parts of what is chosen. */
function searchIn<Part extends Partial<Envelope>>(
	schema: Schema<Part>,
	itemsOf: (envelope: Part) => INodeListSearchItems[],
) {
	return picker(async (context, filter?: string) => {
		const envelope = await chosenEnvelope(context, schema);
		return envelope ? matching(filter, itemsOf(envelope)) : UNKNOWN;
	});
}

const FIRST = 'Choose the document or template first, or enter the ID';
const UNKNOWN: INodeListSearchResult = { results: [{ name: FIRST, value: '' }] };

export const searchRecipients = searchIn(withRecipients, ({ recipients }) =>
	recipients.map(({ id, name, email, role }) => ({
		name: `${[name, email].filter(Boolean).join(', ')} (${role.toLowerCase()})`,
		value: String(id),
	})),
);

export const searchFields = searchIn(withFields, ({ fields, recipients }) => {
	const owners = new Map(recipients.map((recipient) => [recipient.id, recipient]));
	return fields.map((field) => {
		const owner = owners.get(field.recipientId);
		const whose = owner ? ` of ${owner.name || owner.email}` : '';
		return {
			name: `${labelOf(field)} (${field.type.toLowerCase()}${whose})`,
			value: String(field.id),
		};
	});
});

export const searchFiles = searchIn(withFiles, ({ envelopeItems }) =>
	envelopeItems.map(({ id, title }) => ({ name: title, value: id })),
);

export const searchAttachments = picker(async (context, filter?: string) => {
	const known = await chosen(context);
	if (!known) return UNKNOWN;
	const query = { envelopeId: known.id };
	const { data } = await known.client.get('/envelope/attachment', attachmentsSchema, query);
	return matching(
		filter,
		data.map(({ id: value, label }) => ({ name: label, value })),
	);
});

export const getTemplateFiles = picker(async (context) => {
	const { envelopeItems = [] } = (await chosenEnvelope(context, withFiles)) ?? {};
	const titles = envelopeItems.map(({ title }) => title);
	return envelopeItems.map(({ id, title }) => ({
		name: title,
		// A name reads better in a workflow than an ID, and also fits a copy of the template.
		value: titles.filter((other) => other === title).length === 1 ? title : id,
	}));
});

export const getDocumentRecipients = picker(async (context) => {
	const { recipients = [] } = (await chosenEnvelope(context, withRecipients)) ?? {};
	return recipients.map(({ id, name, email, role, signingStatus }) => ({
		name: `${name || email} (${role.toLowerCase()}, ${signingStatus.toLowerCase().replace('_', ' ')})`,
		value: id,
	}));
});

/** An expression arrives as its value, or as null if the editor cannot evaluate it. */
type Row = Partial<Record<'email' | 'name' | 'role', NodeParameterValue>>;

/** The rows that were entered under Recipients in the same node. */
export async function getListedRecipients(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	// n8n does not know the type of a parameter.
	const list = this.getCurrentNodeParameter('recipients') as { recipient?: Row[] } | null;
	return (list?.recipient ?? []).map(({ email, name, role }, index) => ({
		name: describeRecipient({ email: shown(email), name: shown(name) }, index),
		value: `r${index + 1}`,
		description: shown(role).toLowerCase(),
	}));
}

function shown(value: NodeParameterValue): string {
	return String(value ?? '').replace(/^=/, '');
}
