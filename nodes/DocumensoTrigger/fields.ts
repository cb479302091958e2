import type { INodeProperties } from 'n8n-workflow';

import { ANY_EVENT } from './event';

const setUpNotice: INodeProperties = {
	displayName:
		"In Documenso, open <b>Team Settings > Webhooks</b>, create a webhook, and paste this node's <b>Production URL</b>: unfold <b>Webhook URLs</b> above. Choose the same events there, and enter the <b>Webhook Secret</b> of the credential as its secret.",
	name: 'setUpNotice',
	type: 'notice',
	default: '',
};

const events: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: '* (All Events)',
			value: ANY_EVENT,
			description: 'Whatever Documenso reports, also events that are added later',
		},
		{
			name: 'Document Cancelled',
			value: 'DOCUMENT_CANCELLED',
			description: 'Cancelled or deleted',
		},
		{
			name: 'Document Completed',
			value: 'DOCUMENT_COMPLETED',
			description: 'All have signed, and the signed file is ready',
		},
		{ name: 'Document Created', value: 'DOCUMENT_CREATED' },
		{
			name: 'Document Opened',
			value: 'DOCUMENT_OPENED',
			description: 'A recipient opened it for the first time',
		},
		{
			name: 'Document Recipient Completed',
			value: 'DOCUMENT_RECIPIENT_COMPLETED',
			description: 'A recipient signed, approved or viewed; others may still have to',
		},
		{
			name: 'Document Rejected',
			value: 'DOCUMENT_REJECTED',
			description: 'A recipient rejected it',
		},
		{ name: 'Document Reminder Sent', value: 'DOCUMENT_REMINDER_SENT' },
		{
			name: 'Document Sent',
			value: 'DOCUMENT_SENT',
			description: 'Sent to its recipients; repeated when it is sent again',
		},
		{
			name: 'Document Signed',
			value: 'DOCUMENT_SIGNED',
			description: 'A recipient signed; the signed file is not ready yet',
		},
		{
			name: 'Recipient Expired',
			value: 'RECIPIENT_EXPIRED',
			description: 'A signing link expired unused',
		},
		{ name: 'Template Created', value: 'TEMPLATE_CREATED' },
		{ name: 'Template Deleted', value: 'TEMPLATE_DELETED' },
		{ name: 'Template Updated', value: 'TEMPLATE_UPDATED' },
		{
			name: 'Template Used',
			value: 'TEMPLATE_USED',
			description: 'A document was made from a template',
		},
	],
	default: [],
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Accept Unverified Deliveries',
			name: 'acceptUnverified',
			type: 'boolean',
			default: false,
			description:
				'Whether to run without a webhook secret in the credential. Anyone who knows the URL can then start this workflow.',
		},
	],
};

export const fields = [setUpNotice, events, options];
