import type { IncomingHttpHeaders } from 'node:http';

/** `ownNames`: the names, besides `localhost`, at which people may reach the program. */
export function isForeign(
	headers: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
	ownNames?: readonly string[],
): boolean;
