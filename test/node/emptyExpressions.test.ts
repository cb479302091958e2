import type { IDataObject } from 'n8n-workflow';

import { byId, createAndSend, signature, signer, useService } from '../support/suite';
import { lines } from '../support/service';

const suite = useService();

const NOTHING = '={{ $json.misspelt }}';
const located = { __rl: true, mode: 'id', value: NOTHING };
const envelope = byId('envelope_abcdefghijklmnop');

const newDocument = (changes: IDataObject) => ({ ...createAndSend, ...changes });

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
	[
		'a new recipient would not have to authenticate',
		{
			...{ resource: 'recipient', operation: 'add', envelopeId: envelope, email: 'a@example.com' },
			additionalFields: { actionAuth: NOTHING },
		},
		'Additional Fields > Action Authentication',
	],
	[
		'a recipient would see the document without authentication',
		{
			...{ resource: 'recipient', operation: 'update', envelopeId: envelope, recipientId: byId(1) },
			updateFields: { name: 'Anna', accessAuth: '={{ [] }}' },
		},
		'Update Fields > Access Authentication',
	],
	[
		'somebody who only gets a copy would sign',
		newDocument({ recipients: { recipient: [signer, { ...signer, role: NOTHING }] } }),
		'Recipients > Row 2 > Role',
	],
	[
		'all would sign at once',
		newDocument({ recipients: { recipient: [{ ...signer, signingOrder: NOTHING }] } }),
		'Recipients > Row 1 > Signing Order (0: None)',
	],
	[
		'all would sign at once, whatever their order',
		newDocument({ additionalFields: { signingOrder: NOTHING } }),
		'Additional Fields > Signing Order',
	],
	[
		'a field would be in the first file',
		newDocument({ fields: { field: [{ ...signature, options: { identifier: NOTHING } }] } }),
		'Fields > Row 1 > Options > File',
	],
	[
		'any kind of signature would do',
		newDocument({ additionalFields: { signatureTypes: NOTHING } }),
		'Additional Fields > Signature Types',
	],
	[
		'emails would be sent',
		newDocument({ additionalFields: { emailsOff: NOTHING } }),
		'Additional Fields > Emails to Turn Off',
	],
	[
		'Documenso would email a document that is passed on by hand',
		newDocument({ additionalFields: { distributionMethod: NOTHING } }),
		'Additional Fields > Delivery',
	],
	[
		'recipients could change a field',
		{
			...{ resource: 'field', operation: 'add', envelopeId: envelope, recipientId: byId(1) },
			...{ type: 'TEXT', settings: { readOnly: NOTHING } },
		},
		'Settings > Read Only',
	],
	[
		'a folder would move to the root',
		{
			...{ resource: 'folder', operation: 'update', folderId: byId('folder_1') },
			updateFields: { parentId: NOTHING },
		},
		'Update Fields > Parent Folder ID',
	],
	[
		'folders in one folder would be all folders',
		{ resource: 'folder', operation: 'getAll', filters: { parentId: NOTHING } },
		'Filters > Parent Folder ID',
	],
	[
		'templates in one folder would be all templates',
		{ resource: 'templateDeprecated', operation: 'getAll', filters: { folderId: NOTHING } },
		'Filters > Folder ID',
	],
	[
		'somebody else would be recorded as rejecting',
		{
			...{ resource: 'recipient', operation: 'rejectOnBehalf', documentId: envelope },
			...{ recipientId: byId(1), reason: 'No', additionalFields: { actAsEmail: NOTHING } },
		},
		'Additional Fields > Act As',
	],
];

test.each(cases)('%s: the expression is refused', async (_, parameters, label) => {
	const { error } = await suite.run(parameters);
	expect(error?.message).toMatch(/ has an expression that gives nothing: {{ .* }} \[item 0\]$/);
	expect(error?.message).toContain(`'${label}' has`);
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
