import { creating } from '../../envelope/creating';
import { documentFrom, ofTemplate, withFields } from '../../template/use';
import { untilFinal, WAITING, withRoomForMarker } from '../../waiting/untilFinal';

export const createDocumentUntilSigned = creating({
	name: 'Create Document and Wait',
	value: 'createDocumentUntilSigned',
	action: 'Create a document from a template and wait until it is signed',
	description:
		'Fill in a template, send the document, and go on when it is signed, rejected or cancelled',
	endpoint: `GET /envelope/{envelopeId}, POST /envelope/use, ${WAITING.endpoint}`,
	returns: WAITING.returns,
	inputs: { ...ofTemplate, ...withFields },
	document: async (given, item) =>
		withRoomForMarker(await documentFrom({ ...given, send: true }, item)),
	ending: untilFinal,
});
