import type { IDataObject } from 'n8n-workflow';

import { readEnvelope, type Envelope } from '../../envelope/envelope';
import { creating, traceFor } from '../../envelope/externalId';
import { prefilledFields, prefillRows } from '../../envelope/prefill';
import { dataOf, getMany } from '../../envelope/read';
import { metaOver } from '../../envelope/settings';
import { simplifyLegacy } from '../../envelope/simplify';
import { templateRecipientRows, usedRecipients } from '../../envelope/useTemplate';
import { useTemplateFields } from '../../fields/useTemplate';
import { custom } from '../../operation';
import type { Params } from '../../params';
import { useSchema } from '../../schemas/template';
import { json } from '../../transport/body';
import type { Client } from '../../transport/client';
import { ofTemplate, templateNumberOf } from './fields';

export const createDocument = custom({
	name: 'Create Document',
	value: 'createDocument',
	action: 'Create a document from a template by its number',
	description: 'Fill a template in for other recipients, by its number',
	endpoint: 'POST /envelope/get-many, POST /template/use',
	returns: 'the document; its `envelopeId` is what other operations take',
	// Files are replaced in another way here than where the endpoint is a current one.
	properties: [...ofTemplate, ...useTemplateFields.filter(({ name }) => name !== 'replacedFiles')],
	simplify: simplifyLegacy,
	run: async (params, client) => {
		const templateId = templateNumberOf(params);
		const settings = params.collection('additionalFields', useSchema);
		const { allowPlaceholders, content, data } = settings;
		const recipients = templateRecipientRows(params);
		const prefill = prefillRows(params);

		const template = await templateByNumber(params, client, templateId);
		const { title, folderId } = data;
		const trace = traceFor(params, data.externalId ?? template.externalId, folderId);
		const { externalId } = trace;
		const body = json({
			templateId,
			externalId,
			distributeDocument: params.boolean('send'),
			recipients: usedRecipients(params, template, recipients, allowPlaceholders),
			prefillFields: prefilledFields(params, template, prefill),
			...(folderId ? { folderId } : {}),
			...(content as IDataObject),
			override: { ...(title ? { title } : {}), ...metaOver(template, settings) },
		});
		const document = await creating(
			client,
			trace,
			async () => await client.send({ method: 'POST', path: '/template/use', body }),
		);
		return [{ json: document }];
	},
});

/** The template as the current endpoints tell it: with its recipients and the labels of its fields. */
async function templateByNumber(params: Params, client: Client, id: number): Promise<Envelope> {
	const [record] = dataOf(await client.send(getMany('templateId', [id])));
	if (record) return readEnvelope(record);
	throw params.refuse('templateNumber', `is ${id}, which is not the number of a template`);
}
