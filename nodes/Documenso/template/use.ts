import type { IDataObject } from 'n8n-workflow';

import { jsonBody, multipart } from '../../shared/api/body';
import { numberIn, templateSchema } from '../../shared/api/envelope';
import { messageOf } from '../../shared/api/failure';
import type { UploadFile } from '../../shared/api/multipart';
import { parse } from '../../shared/api/records';
import { nextTurn } from '../../shared/api/turns';
import { options } from '../engine/commonInputs';
import { shownOnceChosen, withHint, type Inputs, type Values } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';
import { sentSchema } from '../envelope/distribute';
import { createIn } from '../../shared/envelope/folders';
import { idsOfLeftOut } from '../../shared/envelope/leftOut';
import { readNamed } from '../../shared/envelope/named';
import { uploadFailure } from '../envelope/uploadFailure';
import type { NewDocument } from '../creation/newDocument';
import { BY_NAME, fillTemplate } from '../inputs/fillTemplate';
import { templateId } from '../../shared/inputs/locators';
import { onlyAsPreviewed } from '../inputs/creation';
import { useFields } from '../inputs/settings';
import { templateOf, type Template } from './columns';
import { checkAsPreviewed } from './digest';
import { filledFor, type FilledTemplate, type FillInputs } from './fill';
import { givenReplacements, replacements } from './replacements';

/** The template, what its document is made from, and what else stands on the panel once it is chosen. */
export const ofTemplate = <More extends Inputs>(more: More) => ({
	templateId: withHint(templateId, BY_NAME),
	...shownOnceChosen('templateId', { ...fillTemplate('templateId.value'), ...more }),
});
export const approvedOptions = options({ onlyAsPreviewed });

export type UseInputs = FillInputs & Values<{ templateId: typeof templateId } & typeof useFields>;

/** A document that an item asks for: everything is read and checked, and nothing is created yet. */
export interface Prepared {
	template: Template;
	/** The template as Documenso returns it. */
	record: IDataObject;
	filled: FilledTemplate;
	/** The same as it is in this run: a test changes the recipients. */
	inRun: FilledTemplate;
	replaced: { customDocumentData: IDataObject[]; files: UploadFile[] };
	/** As it is in this run. */
	document: NewDocument;
}

export async function prepare(
	{ templateId: envelopeId, ...given }: UseInputs,
	item: Item,
): Promise<Prepared> {
	const { client } = item;
	const givenFiles = await givenReplacements(given.additionalFields, item);
	const { record, template } = await client.once(`template ${envelopeId}`, async () => {
		const read = await readNamed(client, 'templateId', envelopeId);
		const envelope = parse(templateSchema, read);
		// A template may have thousands of fields.
		await nextTurn();
		return { record: read, template: templateOf(envelope) };
	});
	const { filled, inRun } = await filledFor(template, given, item);
	const { content, title, given: _, ...rest } = inRun;
	const { allowMisplacedFields } = given.additionalFields;
	const replaced = replacements(template, givenFiles, allowMisplacedFields);
	const { customDocumentData, files } = replaced;
	const { reminderSettings, ...override } = content.override;
	const payload = {
		envelopeId,
		...content,
		override,
		...(customDocumentData.length > 0 ? { customDocumentData } : {}),
	};
	const externalId = rest.externalId.value;
	const create = async (isToBeSent: boolean, stored = externalId) => {
		const using = { ...payload, externalId: stored, distributeDocument: isToBeSent };
		const body = files.length > 0 ? multipart(using, files) : jsonBody({ payload: using });
		const { id, ...answer } = await createIn(
			client,
			{ type: 'DOCUMENT', folderId: rest.folderId },
			async () => await client.post('/envelope/use', body, sentSchema),
		).catch((error: unknown) => {
			throw uploadFailure(
				error,
				givenFiles.map(({ file }) => file),
			);
		});
		const status = isToBeSent ? 'PENDING' : 'DRAFT';
		// A template of the organisation may be another team's.
		const isOfOwnTeam = template.templateType !== 'ORGANISATION';
		const url = isOfOwnTeam ? client.documentUrl({ id, team: template.team }) : undefined;
		const emails = answer.recipients.map(({ email }) => email);
		const leftOut = idsOfLeftOut(answer);
		return { id, emails, leftOut, json: { id, title, status, url, externalId, ...answer } };
	};
	const complete = async (id: string) => {
		if (reminderSettings) await setReminders(item, id, reminderSettings);
	};
	const { secondaryId } = record;
	const number = typeof secondaryId === 'string' ? { templateId: numberIn(secondaryId) } : {};
	const document = { ...rest, content: { payload, files }, ...number, create, complete };
	return { template, record, filled, inRun, replaced, document };
}

const NO_REMINDERS =
	"The reminders of these documents could not be set. Set them with 'Document: Update'.";

/**
 * The service takes no reminders while it uses a template. If it refuses them afterwards, the document is there all the
 * same, and perhaps sent.
 */
async function setReminders(
	{ client, execution }: Item,
	id: string,
	reminderSettings: IDataObject[string],
) {
	const body = { envelopeId: id, meta: { reminderSettings } };
	await client.post('/envelope/update', body).catch((error: unknown) => {
		execution.hints.add(NO_REMINDERS, `${id}: ${messageOf(error)}`, 'warning');
	});
}

type ApprovedInputs = UseInputs & Values<{ options: typeof approvedOptions }>;

/** What an item asks for, if it is as it was previewed. */
export async function approvedFor(given: ApprovedInputs, item: Item): Promise<Prepared> {
	const prepared = await prepare(given, item);
	const { onlyAsPreviewed: approved } = given.options;
	const stored = item.execution.parameters.stored(['options', 'onlyAsPreviewed']);
	// An option that is there without a value is no permission.
	if (stored === undefined && approved === undefined) return prepared;
	const wasPreviewed = await checkAsPreviewed(item, approved ?? '', prepared);
	return { ...prepared, document: { ...prepared.document, wasPreviewed } };
}
