import { z } from 'zod';

import { readTemplate } from '../../envelope/columns';
import { inTurn, turnSchema, type Turn } from '../../envelope/distribute';
import { carryOut, planOf } from '../../envelope/plan';
import { envelopeId, readNamed } from '../../envelope/read';
import { givenReplacements, replacements } from '../../envelope/replacements';
import { fillingOf, useOf } from '../../envelope/useTemplate';
import { templateId } from '../../fields/locators';
import { replacedFiles, useTemplateFields } from '../../fields/useTemplate';
import { prepared } from '../../operation';
import { json, multipart } from '../../transport/body';

const usedSchema = z.object({ id: z.string(), recipients: z.array(turnSchema) });

export const createDocument = prepared({
	name: 'Create Document',
	value: 'createDocument',
	action: 'Create a document from a template',
	description: 'Fill a template in for other recipients, and send it if you like',
	endpoint: 'GET /envelope/{envelopeId}, POST /envelope/use',
	returns: '`id`, `externalId`, `recipients` with signing links',
	properties: [templateId, ...useTemplateFields('templateId.value', [replacedFiles])],
	prepare: async (params, client) => {
		const id = envelopeId(params, 'templateId');
		const filling = fillingOf(params);
		const givenFiles = await givenReplacements(params);
		const template = readTemplate(await readNamed(params, client, 'templateId', 'read'));
		const { content, trace, isSent, safety } = useOf(params, template, filling);
		const { customDocumentData, files } = await replacements(params, template, givenFiles);
		const payload = {
			envelopeId: id,
			...content,
			...(customDocumentData.length > 0 ? { customDocumentData } : {}),
		};
		const body = files.length > 0 ? multipart(payload, files) : json({ payload });
		return await planOf(params, client, {
			trace,
			safety,
			sending: isSent ? 'whileCreating' : 'no',
			create: async () => {
				const answer = await client.send({ method: 'POST', path: '/envelope/use', body });
				const { id } = client.parse(usedSchema, answer);
				const recipients = inTurn(answer.recipients as Turn[]);
				const { externalId } = trace;
				return { id, json: { id, externalId, ...answer, recipients } };
			},
		});
	},
	perform: carryOut,
});
