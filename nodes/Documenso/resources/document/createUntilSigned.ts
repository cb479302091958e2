import { creating } from '../../envelope/creating';
import { documentOf, draftInputs } from '../../envelope/draft';
import { createAndSendFields } from '../../inputs/settings';
import { untilFinal, WAITING, withRoomForMarker } from '../../waiting/untilFinal';

export const createUntilSigned = creating({
	name: 'Create, Send and Wait',
	value: 'createUntilSigned',
	action: 'Create and send a document and wait until it is signed',
	description:
		'Send a new document for signing, and go on when it is signed, rejected or cancelled',
	endpoint: `POST /envelope/create, POST /envelope/distribute, ${WAITING.endpoint}`,
	returns: WAITING.returns,
	inputs: { ...draftInputs, additionalFields: createAndSendFields },
	document: async (given, item) => withRoomForMarker(await documentOf(given, item, 'afterwards')),
	ending: untilFinal,
});
