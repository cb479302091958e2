import { createServer } from 'node:http';

import { useServer } from './server';

/** Another origin, to which whoever edits a workflow might send the token. `arrived` has the headers of each request. */
export function useElsewhere(hostname = '127.0.0.1') {
	const arrived: string[] = [];
	const at = useServer(
		createServer(({ rawHeaders }, response) => {
			arrived.push(rawHeaders.join());
			response.end('{}');
		}),
	);
	beforeEach(() => {
		arrived.length = 0;
	});
	return {
		arrived,
		get url() {
			return `http://${hostname}:${at.port}`;
		},
	};
}
