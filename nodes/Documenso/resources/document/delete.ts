import { documentId } from '../../fields/envelopeLocator';
import { perItem } from '../../operation';
import { json } from '../../transport/body';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a document',
	description: 'Delete a draft or a sent document for good, or hide a finished one',
	properties: [documentId],
	request: (params) => ({
		method: 'POST',
		path: '/envelope/delete',
		body: json({ envelopeId: params.required('documentId') }),
	}),
	output: (_, params) => ({ id: params.string('documentId'), deleted: true }),
});
