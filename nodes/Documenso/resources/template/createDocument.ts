import { creating, externalIdFor } from '../../envelope/externalId';
import { readEnvelope } from '../../envelope/envelope';
import { prefilledFields, prefillRows } from '../../envelope/prefill';
import { envelopeId } from '../../envelope/read';
import {
	checkTemplateSendable,
	templateRecipientRows,
	usedRecipients,
} from '../../envelope/useTemplate';
import { templateId } from '../../fields/envelopeLocator';
import { useTemplateFields } from '../../fields/useTemplate';
import { custom } from '../../operation';
import { useSchema } from '../../schemas/template';
import { json } from '../../transport/body';
import { path } from '../../transport/path';

export const createDocument = custom({
	name: 'Create Document',
	value: 'createDocument',
	action: 'Create a document from a template',
	description: 'Fill a template in for other recipients, and send it if you like',
	properties: [templateId, ...useTemplateFields],
	run: async (params, client) => {
		const id = envelopeId(params, 'templateId');
		const distributeDocument = params.boolean('send');
		const { allowPlaceholders, data, meta } = params.collection('additionalFields', useSchema);
		const recipients = templateRecipientRows(params);
		const prefill = prefillRows(params);

		const template = readEnvelope(await client.read(path`/envelope/${id}`));
		if (distributeDocument) checkTemplateSendable(params, template);
		const { title, folderId } = data;
		const externalId = externalIdFor(params, data.externalId ?? template.externalId);
		const payload = {
			envelopeId: id,
			externalId,
			distributeDocument,
			recipients: usedRecipients(params, template, recipients, allowPlaceholders),
			prefillFields: prefilledFields(params, template, prefill),
			...(folderId ? { folderId } : {}),
			override: { ...(title ? { title } : {}), ...meta },
		};
		const document = await creating(
			client,
			payload,
			async () =>
				await client.send({ method: 'POST', path: '/envelope/use', body: json({ payload }) }),
		);
		return [{ json: { ...document, externalId } }];
	},
});
