import { createRequire } from 'node:module';

interface RequestConfig {
	url?: string;
	method?: string;
	timeout?: number;
}
interface HttpLibrary {
	interceptors: { request: { use(change: (config: RequestConfig) => RequestConfig): unknown } };
}

/** What the node gives each request; milliseconds. */
const NODE_TIMEOUT_MS = 300_000;

/** Nobody waits five minutes for a test; but a busy machine may well take a second for an answer. */
const SHORT_TIMEOUT_MS = 4000;

/** Longer than any request waits that gives up early; milliseconds. */
export const STALL_MS = 2 * SHORT_TIMEOUT_MS;

/** By the origin of their service, which requests give up early. */
const impatient = new Map<string, (line: string) => boolean>();

/** Lets n8n's HTTP library give requests such as `GET /envelope` up early, until told otherwise. */
export function giveUpEarly(origin: string, matches: (line: string) => boolean): () => void {
	intercept();
	impatient.set(origin, matches);
	return () => impatient.set(origin, () => false);
}

let isIntercepting = false;

function intercept() {
	if (isIntercepting) return;
	isIntercepting = true;
	const library = createRequire(require.resolve('n8n-core'))('axios') as HttpLibrary;
	library.interceptors.request.use((config) => {
		const { origin, pathname } = new URL(config.url ?? '');
		const line = `${config.method?.toUpperCase() ?? ''} ${pathname.replace('/api/v2', '')}`;
		if (!impatient.get(origin)?.(line)) return config;
		if (config.timeout !== NODE_TIMEOUT_MS) throw new Error(`${line} has another time-out`);
		config.timeout = SHORT_TIMEOUT_MS;
		return config;
	});
}
