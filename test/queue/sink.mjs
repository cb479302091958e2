import { createServer } from 'node:http';

/** What the workflows do with an event: they call it. It notes for each document who called, and when. */
export async function startSink() {
	const calls = new Map();
	const server = createServer((request, response) => {
		const [, via, document] = request.url.split('/');
		const times = calls.get(document) ?? [];
		calls.set(document, [...times, { via, at: Date.now() }]);
		request.resume();
		response.end('ok');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		forget: () => calls.clear(),
		/** The calls about a document. */
		callsAbout: (document) => calls.get(document) ?? [],
	};
}
