import { unlimited } from '../services.mjs';
import { createDocument, rowsOf } from '../subjects/rows.mjs';
import { workflow } from '../subjects/workflow.mjs';
import { thisNode } from '../targets.mjs';

const previewDocument = workflow(thisNode, (testbed) => [
	createDocument(testbed, {
		operation: 'previewDocument',
		additionalFields: { ifExternalIdExists: 'skip' },
	}),
]);

export const preview = {
	name: 'preview',
	title: 'A preview of 10,000 rows with External IDs',
	service: unlimited,
	size: 10_000,
	warmUpSize: 20,
	runs: 3,
	prepare: (_testbed, size) => rowsOf(size),
	subjects: [previewDocument],
	columns: ['requests', 'ms'],
	// The template, its attachments, the folders and a list of the root.
	targets: [{ label: 'requests', metric: 'requests', atMost: 5 }],
};
