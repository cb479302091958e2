import { jsonBody, multipart } from '../../api/body';
import { envelopeSchema } from '../../api/envelope';
import { parse } from '../../api/records';
import { creating } from '../../envelope/creating';
import { sentSchema } from '../../envelope/distribute';
import { readNamed } from '../../envelope/named';
import { fillTemplate, replacedFiles } from '../../inputs/fillTemplate';
import { templateId } from '../../inputs/locators';
import { useFields } from '../../inputs/settings';
import { templateOf } from '../../template/columns';
import { fill } from '../../template/fill';
import { givenReplacements, replacements } from '../../template/replacements';

export const createDocument = creating({
	name: 'Create Document',
	value: 'createDocument',
	action: 'Create a document from a template',
	description: 'Fill in a template for your recipients, and optionally send the document',
	endpoint: 'GET /envelope/{envelopeId}, POST /envelope/use',
	returns: '`id`, `externalId`, `recipients` with signing links',
	inputs: {
		templateId,
		...fillTemplate('templateId.value'),
		replacedFiles,
		additionalFields: useFields,
	},
	document: async ({ templateId: envelopeId, replacedFiles: rows, ...given }, item) => {
		const { client } = item;
		const givenFiles = await givenReplacements(rows, item);
		const template = await client.once(`template ${envelopeId}`, async () => {
			const record = await readNamed(client, 'templateId', envelopeId);
			return templateOf(parse(envelopeSchema, record));
		});
		const { content, ...filled } = fill(template, given, item);
		const { customDocumentData, files } = await replacements(item, template, givenFiles);
		const payload = {
			envelopeId,
			...content,
			...(customDocumentData.length > 0 ? { customDocumentData } : {}),
		};
		const body = files.length > 0 ? multipart(payload, files) : jsonBody({ payload });
		return {
			...filled,
			create: async () => {
				const answer = await client.post('/envelope/use', body, sentSchema);
				return { id: answer.id, json: { externalId: filled.externalId.value, ...answer } };
			},
		};
	},
});
