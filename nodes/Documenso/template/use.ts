import { jsonBody, multipart } from '../api/body';
import { templateSchema } from '../api/envelope';
import { parse } from '../api/records';
import { shownOnceChosen, type Values } from '../engine/input';
import type { Item } from '../engine/item';
import { sentSchema } from '../envelope/distribute';
import { createIn } from '../envelope/folders';
import { readNamed } from '../envelope/named';
import type { NewDocument } from '../creation/newDocument';
import { fillTemplate } from '../inputs/fillTemplate';
import { templateId } from '../inputs/locators';
import { useFields } from '../inputs/settings';
import { filledInRun } from './asInRun';
import { templateOf } from './columns';
import { fill, type FillInputs } from './fill';
import { givenReplacements, replacements } from './replacements';

/** The template, and what its document is made from. */
export const ofTemplate = {
	templateId,
	...shownOnceChosen('templateId', fillTemplate('templateId.value')),
};
export const withFields = { additionalFields: useFields };

type UseInputs = FillInputs & Values<{ templateId: typeof templateId } & typeof withFields>;

/** The document that an item asks for. */
export async function documentFrom(
	{ templateId: envelopeId, ...given }: UseInputs,
	item: Item,
): Promise<NewDocument> {
	const { client } = item;
	const givenFiles = await givenReplacements(given.additionalFields.replacedFiles, item);
	const template = await client.once(`template ${envelopeId}`, async () => {
		const record = await readNamed(client, 'templateId', envelopeId);
		return templateOf(parse(templateSchema, record));
	});
	const real = fill(template, given, item);
	const { content, title, ...filled } = filledInRun(real, template, item);
	const { customDocumentData, files } = await replacements(item, template, givenFiles);
	const payload = {
		envelopeId,
		...content,
		...(customDocumentData.length > 0 ? { customDocumentData } : {}),
	};
	return {
		...filled,
		create: async (isToBeSent) => {
			const using = { ...payload, distributeDocument: isToBeSent };
			const body = files.length > 0 ? multipart(using, files) : jsonBody({ payload: using });
			const { id, ...rest } = await createIn(
				client,
				{ type: 'DOCUMENT', folderId: filled.folderId },
				async () => await client.post('/envelope/use', body, sentSchema),
			);
			const status = isToBeSent ? 'PENDING' : 'DRAFT';
			// A template of the organisation may be another team's.
			const isOfOwnTeam = template.templateType !== 'ORGANISATION';
			const url = isOfOwnTeam ? client.documentUrl({ id, team: template.team }) : undefined;
			const externalId = filled.externalId.value;
			const emails = rest.recipients.map(({ email }) => email);
			return { id, emails, json: { id, title, status, url, externalId, ...rest } };
		},
	};
}
