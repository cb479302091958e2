import { createServer } from 'node:http';

import { sum } from './sum.mjs';

/** Documenso redirects reads to another host, and n8n's HTTP Request node asks that host with the credential. */
export async function redirects(stage, count) {
	const { cluster, emulator, template } = stage;
	const host = await startHost();
	await stage.begin('listing', 'downloading', 'asking');
	const ids = await emulator.makeDocuments(template.id, count);
	for (const match of ['GET /envelope', 'GET /envelope/item/*']) {
		await emulator.fail({
			...{ match, times: count, status: 302, body: '' },
			headers: { location: `${host.url}/moved` },
		});
	}
	const rows = ids.map((id) => ({ id, url: host.url }));
	const results = [];
	for (const [workflow, what] of Object.entries({
		listing: 'lists',
		downloading: 'downloads',
		asking: 'requests of the HTTP Request node',
	})) {
		host.forget();
		await stage.start(workflow, rows, count);
		await stage.ended(workflow, count);
		const { success = 0 } = await cluster.executions(stage.workflows[workflow]);
		const isRefused = workflow === 'asking';
		results.push({
			...{ what, sent: count, accepted: host.requests.length, executions: count },
			failed: count - success,
			lost: isRefused ? 0 : count - Math.min(success, host.requests.length),
			tokens: sum(host.requests.map(({ authorization }) => (authorization ? 1 : 0))),
		});
	}
	host.close();
	return results;
}

/** Answers as Documenso, or a store of its files, would. */
async function startHost() {
	const requests = [];
	const server = createServer(({ headers }, response) => {
		requests.push(headers);
		const isFile = headers.accept !== 'application/json';
		response.setHeader('content-type', isFile ? 'application/pdf' : 'application/json');
		response.end(isFile ? '%PDF-1.7\n' : '{"data":[],"currentPage":1,"totalPages":1,"count":0}');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		requests,
		forget: () => requests.splice(0),
		close: () => server.close(),
	};
}
