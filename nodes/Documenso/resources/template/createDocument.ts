import type { IDataObject } from 'n8n-workflow';

import { z } from 'zod';

import { readEnvelope } from '../../envelope/envelope';
import { creating, traceFor } from '../../envelope/externalId';
import { prefilledFields, prefillRows } from '../../envelope/prefill';
import { envelopeId } from '../../envelope/read';
import { replacements } from '../../envelope/replacements';
import { metaOver } from '../../envelope/settings';
import {
	checkTemplateSendable,
	templateRecipientRows,
	usedRecipients,
} from '../../envelope/useTemplate';
import { templateId } from '../../fields/locators';
import { useTemplateFields } from '../../fields/useTemplate';
import { custom } from '../../operation';
import { useSchema } from '../../schemas/template';
import { json, multipart } from '../../transport/body';
import { path } from '../../transport/path';

const usedSchema = z.object({ id: z.string(), recipients: z.array(z.unknown()) });

export const createDocument = custom({
	name: 'Create Document',
	value: 'createDocument',
	action: 'Create a document from a template',
	description: 'Fill a template in for other recipients, and send it if you like',
	endpoint: 'GET /envelope/{envelopeId}, POST /envelope/use',
	returns: '`id`, `externalId`, `recipients` with signing links',
	properties: [templateId, ...useTemplateFields],
	run: async (params, client) => {
		const id = envelopeId(params, 'templateId');
		const distributeDocument = params.boolean('send');
		const settings = params.collection('additionalFields', useSchema);
		const { allowPlaceholders, content, data } = settings;
		const recipients = templateRecipientRows(params);
		const prefill = prefillRows(params);
		const { customDocumentData, files } = await replacements(params);

		const template = readEnvelope(await client.read(path`/envelope/${id}`));
		if (distributeDocument) checkTemplateSendable(params, template);
		const { title, folderId } = data;
		const trace = traceFor(params, data.externalId ?? template.externalId, folderId);
		const { externalId } = trace;
		const payload = {
			envelopeId: id,
			externalId,
			distributeDocument,
			recipients: usedRecipients(params, template, recipients, allowPlaceholders),
			prefillFields: prefilledFields(params, template, prefill),
			...(customDocumentData.length > 0 ? { customDocumentData } : {}),
			...(folderId ? { folderId } : {}),
			...(content as IDataObject),
			override: { ...(title ? { title } : {}), ...metaOver(template, settings) },
		};
		const body = files.length > 0 ? multipart(payload, files) : json({ payload });
		const document = await creating(client, trace, async () => {
			const answer = await client.send({ method: 'POST', path: '/envelope/use', body });
			client.parse(usedSchema, answer);
			return answer;
		});
		return [{ json: { ...document, externalId } }];
	},
});
