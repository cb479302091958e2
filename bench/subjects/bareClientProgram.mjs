import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const { apiUrl, apiToken, concurrency, requests } = JSON.parse(await readFile(process.argv[2]));
const headers = { authorization: apiToken, 'content-type': 'application/json' };
const millisecondsPerSecond = 1000;
/** When the service accepts requests again, for all of them. */
let resumeAt = 0;

async function send({ method, path, body }) {
	for (;;) {
		const wait = resumeAt - Date.now();
		if (wait > 0) await sleep(wait);
		const response = await fetch(apiUrl + path, { method, headers, body: JSON.stringify(body) });
		await response.arrayBuffer();
		if (response.ok) return;
		if (response.status !== 429) throw new Error(`${method} ${path}: ${response.status}`);
		const seconds = Number(response.headers.get('retry-after'));
		resumeAt = Math.max(resumeAt, Date.now() + seconds * millisecondsPerSecond);
	}
}

const queue = requests.values();
const started = performance.now();
await Promise.all(
	Array.from({ length: concurrency }, async () => {
		for (const request of queue) await send(request);
	}),
);
console.log(JSON.stringify({ ms: performance.now() - started }));
