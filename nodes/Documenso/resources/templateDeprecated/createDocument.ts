import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { readTemplate, type Template } from '../../envelope/columns';
import { recipientsWithLinks } from '../../envelope/distribute';
import type { Envelope } from '../../envelope/envelope';
import { carryOut, planOf } from '../../envelope/plan';
import { dataOf, getMany } from '../../envelope/read';
import { simplifyLegacy } from '../../envelope/simplify';
import { fillingOf, useOf } from '../../envelope/useTemplate';
import { useTemplateFields } from '../../fields/useTemplate';
import { prepared } from '../../operation';
import type { Params } from '../../params';
import { json } from '../../api/body';
import type { Client } from '../../api/client';
import { ofTemplate, templateNumberOf } from './fields';

const usedSchema = z.object({ envelopeId: z.string() });

export const createDocument = prepared({
	name: 'Create Document',
	value: 'createDocument',
	action: 'Create a document from a template by its number',
	description: 'Fill a template in for other recipients, by its number',
	endpoint: 'POST /envelope/get-many, POST /template/use',
	returns: 'the document; its `envelopeId` is what other operations take',
	// Files are replaced in another way here than where the endpoint is a current one.
	properties: [...ofTemplate, ...useTemplateFields('templateNumber')],
	simplify: simplifyLegacy,
	prepare: async (params, client) => {
		const templateId = templateNumberOf(params);
		const filling = fillingOf(params);
		const template = await templateByNumber(params, client, templateId);
		const { content, trace, isSent, safety } = useOf(params, template, filling);
		const body = json({ templateId, ...content });
		return await planOf(params, client, {
			trace,
			safety,
			sending: isSent ? 'whileCreating' : 'no',
			create: async () => {
				const answer = await client.send({ method: 'POST', path: '/template/use', body });
				return { id: client.parse(usedSchema, answer).envelopeId, json: answer };
			},
			describe: (envelope) => legacyForm(client, envelope),
		});
	},
	perform: carryOut,
});

/** The template as the current endpoints tell it: with its recipients and the labels of its fields. */
async function templateByNumber(params: Params, client: Client, id: number): Promise<Template> {
	const [record] = dataOf(await client.read(getMany('templateId', [id])));
	if (record) return readTemplate(record);
	throw params.refuse('templateNumber', `is ${id}, which is not the number of a template`);
}

/** As the old endpoints tell a document, as far as the current ones know it. */
function legacyForm(client: Client, envelope: Envelope): IDataObject {
	const { id: envelopeId, secondaryId, status, title, externalId } = envelope;
	const recipients = recipientsWithLinks(client, envelope);
	return {
		id: Number(secondaryId.replace(/\D/g, '')),
		envelopeId,
		status,
		title,
		externalId,
		recipients,
	};
}
