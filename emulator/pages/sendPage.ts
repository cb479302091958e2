import type { FastifyReply } from 'fastify';

export function sendPage(reply: FastifyReply, content: string): FastifyReply {
	return reply.type('text/html; charset=utf-8').send(content);
}
