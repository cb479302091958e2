import { documentId } from '../../fields/envelopeLocator';
import { updateFields } from '../../fields/settings';
import { perItem } from '../../operation';
import { settingsSchema } from '../../schemas/settings';
import { json } from '../../transport/body';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a document',
	description: 'Change the title or settings of a document',
	properties: [documentId, updateFields],
	request: (params) => {
		const changes = params.changes('updateFields', settingsSchema);
		const { data, meta } = changes;
		if (Object.keys({ ...data, ...meta }).length === 0) {
			throw params.refuse('updateFields', 'is empty: there is nothing to change');
		}
		return {
			method: 'POST',
			path: '/envelope/update',
			body: json({ envelopeId: params.required('documentId'), data, meta }),
		};
	},
});
