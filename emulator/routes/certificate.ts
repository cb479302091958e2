import { z } from 'zod';
import { findVisible } from '../envelopes/access';
import { AppError, notFound } from '../errors';
import { contentDisposition, withoutPdf } from '../http/contentDisposition';
import { download } from '../http/route';
import { drawCertificate } from '../pdf/certificate';

export const certificateRoutes = [
	download({
		path: '/envelope/:envelopeId/certificate/download',
		operation: 'envelope.certificate.downloadPdf',
		query: z.object({}),
		answer: async (instance, caller, { envelopeId = '' }) => {
			const envelope = findVisible(instance, caller, envelopeId, 'DOCUMENT');
			if (!envelope) throw notFound('Document not found');
			if (envelope.status !== 'COMPLETED' && envelope.status !== 'REJECTED') {
				throw new AppError('DOCUMENT_NOT_COMPLETE', 'The document is not finished');
			}
			return {
				content: Buffer.from(await drawCertificate(envelope)),
				headers: {
					'cache-control': 'no-cache, no-store, must-revalidate',
					'content-disposition': contentDisposition(
						'attachment',
						`${withoutPdf(envelope.title)}_certificate.pdf`,
					),
				},
			};
		},
	}),
];
