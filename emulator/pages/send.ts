import type { FastifyReply } from 'fastify';
import type { Envelope, EnvelopeItem } from '../entities';
import { contentDisposition, withoutPdf } from '../http/contentDisposition';

export function sendPage(reply: FastifyReply, content: string): FastifyReply {
	return reply.type('text/html; charset=utf-8').send(content);
}

/** Under the name that people would give it: the files of all documents from one template have the same title. */
export function sendPdf(
	reply: FastifyReply,
	{ title, items }: Envelope,
	item: EnvelopeItem,
	version: 'original' | 'signed' | 'pending',
	content: Uint8Array,
): FastifyReply {
	const name = withoutPdf(items.length > 1 ? `${title}, ${item.title}` : title);
	const fileName = version === 'original' ? `${name}.pdf` : `${name} (${version}).pdf`;
	return reply
		.type('application/pdf')
		.header('content-disposition', contentDisposition('inline', fileName))
		.send(Buffer.from(content));
}
