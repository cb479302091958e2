import { z } from 'zod';
import { getVisible } from '../envelopes/access';
import { AppError } from '../errors';
import { download } from '../http/route';
import { drawCertificate } from '../pdf/certificate';
import { drawnFile } from './auditLog';

export const certificateRoutes = [
	download({
		path: '/envelope/:envelopeId/certificate/download',
		operation: 'envelope.certificate.downloadPdf',
		query: z.object({}),
		answer: async (instance, caller, { envelopeId = '' }) => {
			const missing = 'Document not found';
			const envelope = getVisible(instance, caller, envelopeId, missing, 'DOCUMENT');
			if (envelope.status !== 'COMPLETED' && envelope.status !== 'REJECTED') {
				throw new AppError('DOCUMENT_NOT_COMPLETE', 'The document is not finished');
			}
			return drawnFile(envelope, 'certificate', await drawCertificate(envelope));
		},
	}),
];
