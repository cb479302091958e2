import type { IExecuteFunctions } from 'n8n-workflow';

import { addHint } from '../../nodes/shared/n8n/hint';

test('a version of n8n without hints still runs the node', () => {
	const ofOlderVersion = {} as IExecuteFunctions;
	expect(() => {
		addHint(ofOlderVersion, 'Not signed yet');
	}).not.toThrow();
});
