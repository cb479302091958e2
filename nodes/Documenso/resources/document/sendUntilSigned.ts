import { envelopeSchema } from '../../api/envelope';
import { parse } from '../../api/records';
import { custom } from '../../engine/operation';
import { readNamed } from '../../envelope/named';
import { sendDraft, sendInputs } from '../../envelope/sendDraft';
import { checkRoom, untilFinal, WAITING } from '../../waiting/untilFinal';

export const sendUntilSigned = custom({
	name: 'Send and Wait',
	value: 'sendUntilSigned',
	action: 'Send a document and wait until it is signed',
	description: 'Send a draft to its recipients, and go on when it is signed, rejected or cancelled',
	endpoint: `GET /envelope/{envelopeId}, POST /envelope/distribute, ${WAITING.endpoint}`,
	returns: WAITING.returns,
	effect: 'adds',
	inputs: sendInputs,
	run: async (given, item) => {
		const record = await readNamed(item.client, 'documentId', given.documentId);
		checkRoom(parse(envelopeSchema, record).externalId ?? '');
		return [{ json: await sendDraft(given, item) }];
	},
	ending: untilFinal,
});
