import { post } from '../../api/client';
import { envelopeSchema } from '../../api/envelope';
import { parse } from '../../api/records';
import { perItem } from '../../engine/operation';
import { checkFolder } from '../../envelope/folders';
import { readNamed } from '../../envelope/named';
import { simplifyEnvelope } from '../../envelope/simplify';
import { envelopeId, folderId, optional } from '../../inputs/locators';

export const moveEnvelope = perItem({
	name: 'Move Document or Template',
	value: 'moveEnvelope',
	action: 'Move a document or template into a folder',
	description: 'Move a document or template into a folder, or back to the root',
	endpoint: 'POST /envelope/update',
	returns: 'the document or template',
	effect: 'changes',
	inputs: { envelopeId, folderId: optional(folderId, { description: 'Leave empty for the root' }) },
	simplify: simplifyEnvelope,
	// The service takes null for the root.
	request: ({ envelopeId: id, folderId: target }) =>
		post('/envelope/update', { envelopeId: id, data: { folderId: target || null } }),
	check: async ({ envelopeId: id, folderId: target }, { client }) => {
		const { type } = parse(envelopeSchema, await readNamed(client, 'envelopeId', id));
		await checkFolder(client, type, target || undefined, 'Folder');
	},
});
