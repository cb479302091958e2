import type { IDataObject } from 'n8n-workflow';

import { byId, useService } from '../support/suite';
import { lines } from '../support/service';

const suite = useService();

const NOTHING = '={{ $json.misspelt }}';
const located = { __rl: true, mode: 'id', value: NOTHING };
const envelope = byId('envelope_abcdefghijklmnop');

/** What an empty input means is more than the user meant. */
const cases: Array<[string, IDataObject, string]> = [
	[
		'a token for one document would be one for all',
		{ resource: 'embedToken', operation: 'create', expiresIn: 60, envelopeId: located },
		'Document or Template',
	],
	[
		'a token would be valid without its scope',
		{ resource: 'embedToken', operation: 'verify', token: 'x', scope: NOTHING },
		'Scope',
	],
	[
		'a scope in which a part is missing would be another one',
		{
			resource: 'embedToken',
			operation: 'verify',
			token: 'x',
			scope: `=envelopeId:{{ $json.no }}`,
		},
		'Scope',
	],
	[
		'a reminder for one would go to everyone',
		{ resource: 'document', operation: 'resend', documentId: envelope, recipientIds: NOTHING },
		'Recipient Names or IDs',
	],
	[
		'a reminder for an empty list would go to everyone',
		{
			...{ resource: 'document', operation: 'resend', documentId: envelope },
			recipientIds: '={{ [] }}',
		},
		'Recipient Names or IDs',
	],
	[
		'a reminder for a list of nothing would go to everyone',
		{
			...{ resource: 'document', operation: 'resend', documentId: envelope },
			recipientIds: '={{ "".split(",") }}',
		},
		'Recipient Names or IDs',
	],
	[
		'expired links would be all documents',
		{ resource: 'document', operation: 'getAll', filters: { hasExpiredRecipients: NOTHING } },
		'Filters > Only With Expired Recipients',
	],
	[
		'a document that exists would be created again',
		{
			...{ resource: 'document', operation: 'create', title: 'Lease' },
			additionalFields: { ifExternalIdExists: NOTHING },
		},
		'Additional Fields > If External ID Exists',
	],
	[
		'nobody would have to authenticate',
		{
			...{ resource: 'document', operation: 'create', title: 'Lease' },
			additionalFields: { globalActionAuth: NOTHING },
		},
		'Additional Fields > Action Authentication',
	],
	[
		'a document would move to the root',
		{ resource: 'folder', operation: 'moveEnvelope', envelopeId: envelope, folderId: located },
		'Folder',
	],
	[
		'a folder would be created in the root',
		{ resource: 'folder', operation: 'create', name: 'Leases', parentId: located },
		'Parent Folder',
	],
	[
		'a direct link would be for a new recipient',
		{ resource: 'directLink', operation: 'create', templateId: envelope, recipientId: located },
		'Recipient',
	],
	[
		'a search would find all documents',
		{ resource: 'document', operation: 'getAll', filters: { query: NOTHING } },
		'Filters > Search',
	],
	[
		'a status would be any',
		{ resource: 'document', operation: 'getAll', filters: { status: NOTHING } },
		'Filters > Status',
	],
	[
		'a document would be created in the root',
		{
			...{ resource: 'document', operation: 'create', title: 'Lease' },
			additionalFields: { folderId: NOTHING },
		},
		'Additional Fields > Folder ID',
	],
];

test.each(cases)('%s: the expression is refused', async (_, parameters, label) => {
	const { error } = await suite.run(parameters);
	expect(error?.message).toMatch(
		new RegExp(`^'${label}' has an expression that gives nothing: {{ .* }} \\[item 0\\]$`),
	);
	expect(error?.description).toContain('remove the expression');
	expect(lines(suite.service)).toEqual([]);
});

test('an input that is left empty on purpose means what it says', async () => {
	const { error, items } = await suite.run({
		...{ resource: 'embedToken', operation: 'create', expiresIn: 60 },
		envelopeId: { __rl: true, mode: 'list', value: '' },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
});
