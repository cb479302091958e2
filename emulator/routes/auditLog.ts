import { z } from 'zod';
import type { Envelope } from '../entities';
import { assertVisible, getVisible } from '../envelopes/access';
import { formatPage } from '../envelopes/format';
import { AppError } from '../errors';
import { contentDisposition, withoutPdf } from '../http/contentDisposition';
import { download, procedure, type FileAnswer } from '../http/route';
import { drawAuditLog } from '../pdf/auditLog';
import { findAuditLog } from '../schemas/envelopes';

export const auditLogRoutes = [
	procedure({
		method: 'GET',
		path: '/envelope/:envelopeId/audit-log',
		operation: 'envelope.auditLog.find',
		input: findAuditLog,
		answer: (instance, caller, { envelopeId, ...input }) => {
			const envelope = getVisible(instance, caller, envelopeId, 'NOT_FOUND');
			if (envelope.type === 'TEMPLATE') {
				throw new AppError('INVALID_REQUEST', 'Templates do not have audit logs.');
			}
			const entries = [...envelope.auditLog];
			if (input.orderByDirection === 'desc') entries.reverse();
			return formatPage(entries, input);
		},
	}),
	download({
		path: '/envelope/:envelopeId/audit-log/download',
		operation: 'envelope.auditLog.downloadPdf',
		query: z.object({}),
		answer: async (instance, caller, { envelopeId = '' }) => {
			const found = instance.store.envelopes.get(envelopeId);
			const document = found?.type === 'DOCUMENT' ? { envelope: found } : undefined;
			const { envelope } = assertVisible(document, caller, 'Document not found');
			return drawnFile(envelope, 'audit-log', await drawAuditLog(envelope));
		},
	}),
];

/** A certificate or an audit log: drawn anew for each request, and named after the document. */
export function drawnFile({ title }: Envelope, ending: string, content: Uint8Array): FileAnswer {
	return {
		content: Buffer.from(content),
		headers: {
			'cache-control': 'no-cache, no-store, must-revalidate',
			'content-disposition': contentDisposition('attachment', `${withoutPdf(title)}_${ending}.pdf`),
		},
	};
}
