import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../../../shared/api/client';
import { numberIn } from '../../../shared/api/envelope';
import { whole } from '../../../shared/api/records';
import { creating } from '../../creation/creating';
import { withComparison } from '../../check/replacement';
import type { Existing, NewDocument } from '../../creation/newDocument';
import { notice, textOf } from '../../../shared/n8n/input';
import { numericId } from '../../../shared/n8n/values';
import { createIn } from '../../../shared/envelope/folders';
import { withoutMarkers } from '../../../shared/envelope/marker';
import { recipientsWithLinks } from '../../envelope/distribute';
import { templateByNumber } from '../../../shared/envelope/read';
import { simplifyLegacy } from '../../../shared/envelope/simplify';
import { ifExternalIdExists } from '../../inputs/creation';
import { fillTemplate, sendNow } from '../../inputs/fillTemplate';
import { useByNumberFields } from '../../inputs/settings';
import { Columns, templateOf, type Template } from '../../template/columns';
import { filledFor } from '../../template/fill';

export const deprecated = {
	deprecationNotice: notice(
		'Documenso removes this on <b>1 March 2027</b>. Use the resource <b>Template</b> instead: it does the same, and more.',
	),
};

export const ofTemplate = {
	...deprecated,
	// Text, because an input for numbers would have one as its default, and Delete would delete that template.
	templateNumber: textOf('Template Number', numericId, {
		required: true,
		placeholder: 'e.g. 7',
		description: 'The number of the template in older versions of the API',
	}),
};

const usedByNumber = whole(
	z.object({
		envelopeId: z.string(),
		recipients: z.array(whole(z.object({ email: z.string() }))),
	}),
);

export const createDocument = creating({
	name: 'Create Document',
	value: 'createDocument',
	action: 'Create a document from a template by its number',
	description: 'Fill in a template for your recipients, by its number',
	returns: 'the document; its `envelopeId` is what other operations take',
	// Replace Template Files is missing: this endpoint takes files in another form.
	inputs: {
		...ofTemplate,
		...fillTemplate('templateNumber'),
		ifExternalIdExists,
		send: sendNow,
		...useByNumberFields,
	},
	simplify: simplifyLegacy,
	document: async ({ templateNumber: templateId, ...given }, item) => {
		const { client } = item;
		const template = await client.once(`template ${templateId}`, async () =>
			withoutSigningOrders(templateOf(await templateByNumber(client, templateId))),
		);
		const { filled, inRun } = await filledFor(template, given, item);
		const { content, ...rest } = inRun;
		const document: NewDocument = {
			...rest,
			content: { payload: { ...content }, files: [] },
			templateId,
			create: async (isToBeSent) => {
				const use = { templateId, ...content, distributeDocument: isToBeSent };
				const json = await createIn(
					client,
					{ type: 'DOCUMENT', folderId: rest.folderId },
					async () => await client.post('/template/use', use, usedByNumber),
				);
				const { envelopeId: id, recipients } = json;
				return { id, emails: recipients.map(({ email }) => email), json };
			},
			describe: (envelope) => legacyForm(client, envelope),
		};
		return withComparison({ template, record: {}, filled, inRun, document }, item);
	},
});

/** The endpoint would drop them (documenso-api.md: Deprecated endpoints). */
function withoutSigningOrders(template: Template): Template {
	const columns = template.recipientColumns.all.filter(({ part }) => part !== 'signingOrder');
	return { ...template, recipientColumns: new Columns(columns) };
}

/** What the deprecated endpoints return for a document, made from what the current ones return. */
function legacyForm(client: Client, envelope: Existing): IDataObject {
	const { id: envelopeId, secondaryId, status, title, externalId } = envelope;
	const recipients = recipientsWithLinks(client, envelope);
	return {
		id: secondaryId && numberIn(secondaryId),
		envelopeId,
		status,
		title,
		externalId: withoutMarkers(externalId),
		recipients,
	};
}
