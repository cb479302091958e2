import { createRequire } from 'node:module';

interface RequestConfig {
	timeout?: number;
}
interface HttpLibrary {
	interceptors: { request: { use(change: (config: RequestConfig) => RequestConfig): unknown } };
}

/** What the node gives each request; milliseconds. */
const NODE_TIMEOUT_MS = 300_000;

/** Lets n8n's HTTP library give requests up early, because nobody waits five minutes for a test. */
export function shortenTimeout(milliseconds: number) {
	const library = createRequire(require.resolve('n8n-core'))('axios') as HttpLibrary;
	library.interceptors.request.use((config) => {
		if (config.timeout !== NODE_TIMEOUT_MS)
			throw new Error('A request without the node’s time-out');
		config.timeout = milliseconds;
		return config;
	});
}
