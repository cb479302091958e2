import { externalIdOf } from '../../creation/externalId';
import type { NewDocument } from '../../creation/newDocument';
import type { Item } from '../../engine/item';
import { createDraft, draftOf, type DraftValues } from '../../envelope/draft';
import { checkSendable } from '../../envelope/recipients';

/** The document of a Create operation. */
export async function documentOf(
	given: DraftValues,
	item: Item,
	sending: NewDocument['sending'],
): Promise<NewDocument> {
	const draft = await draftOf(given, item, 'DOCUMENT');
	if (sending !== 'no') checkSendable(given, draft.recipients);
	const { additionalFields, title } = given;
	const externalId = externalIdOf(item, additionalFields.externalId);
	const payload = { ...draft.payload, externalId: externalId.value };
	return {
		externalId,
		emails: draft.recipients.map(({ email }) => email),
		folderId: additionalFields.folderId,
		sending,
		ifExternalIdExists: additionalFields.ifExternalIdExists ?? 'create',
		ifSendingFails: additionalFields.ifSendingFails ?? 'keep',
		create: async () => {
			const { id } = await createDraft(item.client, { ...draft, payload });
			return { id, json: { id, title, status: 'DRAFT', externalId: externalId.value } };
		},
	};
}
