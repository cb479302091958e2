import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { HttpClient } from '../../shared/api/client';
import { templateSchema } from '../../shared/api/envelope';
import { nextTurn } from '../../shared/api/turns';
import { templateByNumber } from '../../shared/envelope/read';
import { columnInputs } from '../template/columnInputs';
import { mayBeBlank, templateOf, type Template } from '../template/columns';
import { picker } from '../../shared/pickers/picker';

/** The recipients and fields of the chosen template, as inputs and as columns of a spreadsheet. */
export const getTemplateColumns = picker(async (context): Promise<ResourceMapperFields> => {
	const template = await chosenTemplate(context);
	if (!template) return NOTHING_CHOSEN;
	const chosen = (name: string) => context.getCurrentNodeParameter(`additionalFields.${name}`);
	const mayBeLeftOut = chosen('mayBeLeftOut');
	return {
		fields: columnInputs(template, {
			allowPlaceholders: Boolean(chosen('allowPlaceholders')),
			// An expression may arrive as it is written.
			mayBeLeftOut: Array.isArray(mayBeLeftOut) ? mayBeLeftOut.map(String) : [],
		}),
	};
});

/** Who may be left out of a document: the names are those of the recipients. */
export const getTemplateRecipients = picker(async (context): Promise<INodePropertyOptions[]> => {
	const template = await chosenTemplate(context);
	return (template?.people.all ?? []).map(({ name, label }) => ({ name: label, value: name }));
});

/** What may be left to the recipients: the names are those of the columns. */
export const getTemplateBlanks = picker(async (context): Promise<INodePropertyOptions[]> => {
	const template = await chosenTemplate(context);
	if (!template) return [];
	const columns = [...template.fieldColumns.all, ...template.recipientColumns.all].filter(
		mayBeBlank,
	);
	return columns.map(({ name, label }) => ({ name: label, value: name }));
});

const NOTHING_CHOSEN = { fields: [], emptyFieldsNotice: 'Choose a template first' };

/** By its ID, or by the number that the deprecated operations ask for. */
async function chosenTemplate(context: ILoadOptionsFunctions): Promise<Template | undefined> {
	const isByNumber = 'templateNumber' in (context.getCurrentNodeParameters() ?? {});
	const name = isByNumber ? 'templateNumber' : 'templateId';
	const chosen = context.getCurrentNodeParameter(name, { extractValue: true });
	const isId = typeof chosen === 'string' || typeof chosen === 'number';
	if (!isId || !chosen) return undefined;
	const client = await HttpClient.of(context);
	const template = isByNumber
		? await templateByNumber(client, chosen)
		: await client.envelope(String(chosen), templateSchema);
	// A template may have thousands of fields.
	await nextTurn();
	return templateOf(template);
}
