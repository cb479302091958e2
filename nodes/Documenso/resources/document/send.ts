import { custom } from '../../engine/operation';
import { simplifyCreated } from '../../envelope/simplify';
import { sendDraft, sendInputs } from '../../envelope/sendDraft';

export const send = custom({
	name: 'Send',
	value: 'send',
	action: 'Send a document',
	description: 'Send a draft to its recipients, and get their signing links',
	endpoint: 'POST /envelope/distribute',
	returns: '`id`, `status`, `recipients` with signing links',
	// Documenso sends a document that was already sent once more, with another event.
	effect: 'adds',
	inputs: sendInputs,
	simplify: simplifyCreated,
	run: async (given, item) => [{ json: await sendDraft(given, item) }],
});
