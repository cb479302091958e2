import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../../shared/api/client';
import { numberIn } from '../../shared/api/envelope';
import { parse, whole } from '../../shared/api/records';
import { post } from '../../shared/api/request';
import type { Item } from '../../shared/n8n/item';
import { perItem } from '../engine/kinds';
import { changesTo } from '../engine/oneAtATime';
import type { Resource } from '../engine/resource';
import { readNamedOnce } from '../../shared/envelope/named';
import { optional, recipientId, templateId } from '../../shared/inputs/locators';

export const linkSchema = z.object({ token: z.string() });

const wholeLink = whole(linkSchema);

const numbered = z.object({
	secondaryId: z
		.string()
		.regex(/^template_\d+$/)
		.transform(numberIn),
});

/** The number that the endpoints of direct links know a template by. */
async function templateNumber(client: Client, templateId: string): Promise<number> {
	const record = await readNamedOnce(client, 'templateId', templateId);
	return parse(numbered, record).secondaryId;
}

function withPublicUrl(
	link: z.infer<typeof wholeLink>,
	_: unknown,
	{ client }: Item,
): IDataObject[] {
	return [{ ...link, url: `${client.site}/d/${link.token}` }];
}

/** What Enable and Disable share. */
function switching(enabled: boolean) {
	return {
		returns: 'the link with its `url`',
		reveals: 'links' as const,
		effect: 'changes' as const,
		line: ({ templateId: id }: { templateId: string }) => changesTo(id),
		request: async ({ templateId: id }: { templateId: string }, { client }: Item) => {
			const templateId = await templateNumber(client, id);
			return post('/template/direct/toggle', { templateId, enabled });
		},
		answer: wholeLink,
		items: withPublicUrl,
	};
}

const NEW_SIGNER =
	"Documenso has added a signer without a signature field to these templates, so no document from them can be sent. Add the field with 'Field: Add': the signer's ID is in the output as directTemplateRecipientId. Or choose a 'Recipient' for the link.";

const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create a direct link',
	description:
		'Create a public link; everyone who opens it gets their own document from the template',
	returns: 'the link with its `url`',
	reveals: 'links',
	effect: 'changes',
	inputs: {
		templateId,
		recipientId: optional(recipientId, {
			description:
				'The recipient that visitors sign as. Leave empty for a new signer, who still needs a signature field.',
		}),
	},
	request: async ({ templateId: id, recipientId: directRecipientId }, { client }) => {
		const templateId = await templateNumber(client, id);
		const recipient = directRecipientId ? { directRecipientId } : {};
		return post('/template/direct/create', { templateId, ...recipient });
	},
	answer: wholeLink,
	items: (link, { templateId: id, recipientId: chosen }, item) => {
		if (!chosen) item.execution.hints.add(NEW_SIGNER, id, 'warning');
		return withPublicUrl(link, undefined, item);
	},
});

const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a direct link',
	description: 'Permanently delete the public link of a template',
	returns: '`templateId`, `deleted`',
	effect: 'changes',
	inputs: { templateId },
	request: async ({ templateId: id }, { client }) =>
		post('/template/direct/delete', { templateId: await templateNumber(client, id) }),
	items: (_, { templateId: id }) => [{ templateId: id, deleted: true }],
});

const disable = perItem({
	name: 'Disable',
	value: 'disable',
	action: 'Disable a direct link',
	description: 'Disable the public link of a template until it is enabled again',
	inputs: { templateId },
	...switching(false),
});

const enable = perItem({
	name: 'Enable',
	value: 'enable',
	action: 'Enable a direct link',
	description: 'Enable the public link of a template again',
	inputs: { templateId },
	...switching(true),
});

export const directLink: Resource = {
	name: 'Direct Link',
	value: 'directLink',
	description: 'A public link that makes a document of a template for everyone who opens it',
	operations: [create, enable, disable, remove],
	default: 'create',
};
