import { creating } from '../../creation/creating';
import { documentFrom, ofTemplate, withFields } from '../../template/use';
import { RETURNED_AFTER_WAITING, untilFinal, withRoomForMarker } from '../../waiting/untilFinal';

export const createDocumentUntilSigned = creating({
	name: 'Create Document and Wait',
	value: 'createDocumentUntilSigned',
	action: 'Create a document from a template and wait until it is signed',
	description:
		'Fill in a template, send the document, and go on when it is signed, rejected or cancelled',
	returns: RETURNED_AFTER_WAITING,
	inputs: { ...ofTemplate, ...withFields },
	document: async (given, item) =>
		withRoomForMarker(await documentFrom({ ...given, send: true }, item)),
	ending: untilFinal,
});
