import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** An execution that has not called after so long will not call any more. */
const timeoutMs = 30_000;

/** Notes when executions go on: each calls an address of its own then. Before, it may tell there where to resume it. */
export async function watchContinuations() {
	/** When each address was called (in milliseconds since the epoch). */
	const calls = new Map();
	const resumeUrls = new Map();
	const server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url, 'http://localhost');
		const resumeUrl = searchParams.get('resumeUrl');
		if (resumeUrl) resumeUrls.set(pathname, resumeUrl);
		else calls.set(pathname, [...(calls.get(pathname) ?? []), Date.now()]);
		request.resume();
		response.end('ok');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const pathOf = (name) => `/${encodeURIComponent(name)}`;
	return {
		urlFor: (name) => `http://127.0.0.1:${server.address().port}${pathOf(name)}`,
		/** When the execution went on; undefined if it did not. */
		async by(name) {
			const deadline = Date.now() + timeoutMs;
			while (!calls.has(pathOf(name)) && Date.now() < deadline) await sleep(5);
			return calls.get(pathOf(name))?.[0];
		},
		resumeUrlOf: (name) => resumeUrls.get(pathOf(name)),
		/** How many calls there were in all. */
		get count() {
			return [...calls.values()].flat().length;
		},
		stop() {
			server.close();
			server.closeAllConnections();
		},
	};
}
