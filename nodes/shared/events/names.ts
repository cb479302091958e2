import type { INodePropertyOptions } from 'n8n-workflow';

/** An event as the editor calls it; one that the editor does not know, as Documenso calls it. */
export function eventLabel(event: string): string {
	return EVENTS.find(({ value }) => value === event)?.name ?? event;
}

/** Stands for every event, also those that Documenso adds later. */
export const ANY_EVENT = '*';

/** When each is sent (documenso-api.md: Events). */
export const EVENTS: INodePropertyOptions[] = [
	{
		name: 'Document Cancelled',
		value: 'DOCUMENT_CANCELLED',
		description: 'Cancelled or deleted',
	},
	{
		name: 'Document Completed',
		value: 'DOCUMENT_COMPLETED',
		description: 'Everyone has signed, and the signed PDF is ready',
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
		description: 'A recipient signed, approved or viewed; others may still have to act',
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
		description: 'Sent or resent to its recipients',
	},
	{
		name: 'Document Signed',
		value: 'DOCUMENT_SIGNED',
		description: 'A recipient signed; the signed PDF is not ready yet',
	},
	{
		name: 'Recipient Expired',
		value: 'RECIPIENT_EXPIRED',
		description: "A recipient's signing link expired before they acted",
	},
	{ name: 'Template Created', value: 'TEMPLATE_CREATED' },
	{ name: 'Template Deleted', value: 'TEMPLATE_DELETED' },
	{ name: 'Template Updated', value: 'TEMPLATE_UPDATED' },
	{
		name: 'Template Used',
		value: 'TEMPLATE_USED',
		description: 'A document was created from a template',
	},
];

/** Events after which a document or template may be gone (documenso-api.md: Deleting). */
export const GONE_EVENTS: readonly string[] = ['DOCUMENT_CANCELLED', 'TEMPLATE_DELETED'];
