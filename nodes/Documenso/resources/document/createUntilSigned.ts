import { creating } from '../../creation/creating';
import { draftInputs } from '../../envelope/draft';
import { createAndSendFields } from '../../inputs/settings';
import { RETURNED_AFTER_WAITING, untilFinal, withRoomForMarker } from '../../waiting/untilFinal';
import { documentOf } from './documentOf';

export const createUntilSigned = creating({
	name: 'Create, Send and Wait',
	value: 'createUntilSigned',
	action: 'Create and send a document and wait until it is signed',
	description:
		'Send a new document for signing, and go on when it is signed, rejected or cancelled',
	returns: RETURNED_AFTER_WAITING,
	inputs: { ...draftInputs, additionalFields: createAndSendFields },
	document: async (given, item) => withRoomForMarker(await documentOf(given, item, 'afterwards')),
	ending: untilFinal,
});
