import fastify from 'fastify';
import { controlPlane } from './control';
import { api } from './http/api';
import { apiV1 } from './http/apiV1';
import { Capacity } from './http/capacity';
import { isForeign } from './http/foreign';
import type { Settings } from './options';
import { pages } from './pages/pages';
import type { Parts } from './parts';

const FOREIGN =
	'The local Documenso answers only its own pages, and only at IP addresses, at localhost, and at names that --allow-host allows.\n';

const API_PREFIXES = ['/api/v2', '/api/v2-beta'];

/** Both API versions, the signing pages, and the routes that control the local Documenso. */
export function createServer(parts: Parts, settings: Settings, reset: () => Promise<void>) {
	const app = fastify({
		bodyLimit: Number.MAX_SAFE_INTEGER,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		// As long as Documenso keeps idle connections.
		keepAliveTimeout: 5000,
		routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 10_000 },
	});
	const { basePath } = settings;
	const ownNames = [settings.host, ...settings.allowHosts];
	app.addHook('onRequest', async ({ method, headers: { host, origin } }, reply) => {
		// A preflight changes and tells nothing. Documenso answers it to every page, whose request is then refused.
		const page = method === 'OPTIONS' ? undefined : origin;
		if (!isForeign({ host, origin: page }, ownNames)) return undefined;
		return await reply.code(403).type('text/plain').send(FOREIGN);
	});
	const apiOptions = { ...parts, ...settings, capacity: new Capacity(settings.capacity) };
	const { v1, v2 } = parts.rateLimiters;
	for (const prefix of API_PREFIXES) {
		void app.register(api, { ...apiOptions, rateLimiter: v2, prefix: basePath + prefix });
	}
	const v1Options = { ...apiOptions, rateLimiter: v1, pathRoot: basePath };
	void app.register(apiV1, { ...v1Options, prefix: `${basePath}/api/v1` });
	void app.register(controlPlane, { ...parts, reset, prefix: `${basePath}/__emulator` });
	void app.register(pages, { ...parts, prefix: basePath });
	return app;
}
