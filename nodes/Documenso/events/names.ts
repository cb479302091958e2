import type { INodePropertyOptions } from 'n8n-workflow';

/** Stands for every event, also those that Documenso adds later. */
export const ANY_EVENT = '*';

/** Contract §3.3. */
export const EVENTS: INodePropertyOptions[] = [
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
];
