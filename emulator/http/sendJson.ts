import type { FastifyReply } from 'fastify';

/** Sends a buffer, because Fastify adds a charset to JSON and the service does not. */
export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
	const content = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json');
	return reply.code(status).send(content);
}
