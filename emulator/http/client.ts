import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '../instance';

/** The IP address comes from a proxy's header; without a proxy the service knows none. */
export function clientOf(headers: IncomingHttpHeaders): Client {
	const [forwarded] = [headers['x-forwarded-for']].flat();
	return {
		userAgent: headers['user-agent'] ?? null,
		ipAddress: forwarded?.split(',')[0]?.trim() ?? null,
	};
}
