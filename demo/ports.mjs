import { connect, createServer } from 'node:net';

import { DemoFailure } from './failure.mjs';

const host = '127.0.0.1';

export function freePort() {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(0, host, () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});
}

/** The ports to use: those asked for, if nobody has them; otherwise free ones. */
export async function choosePorts(wanted) {
	const chosen = {};
	for (const [service, port] of Object.entries(wanted)) {
		if (port !== undefined && Object.values(chosen).includes(port)) {
			throw new DemoFailure(`Port ${port} is asked for twice; give ${service} another one.`);
		}
		if (port !== undefined && (await isTaken(port))) {
			throw new DemoFailure(
				`Port ${port} (${service}) is taken by another program; choose another one with: npm start -- --${service}-port <port>`,
			);
		}
		chosen[service] = port ?? (await freePort());
	}
	return chosen;
}

async function isTaken(port) {
	// macOS lets a loopback listener join a port that a wildcard listener holds, hence the connection.
	return (await accepts(port)) || !(await canListen(port));
}

function accepts(port) {
	return new Promise((resolve) => {
		const socket = connect(port, host);
		const answer = (result) => {
			socket.destroy();
			resolve(result);
		};
		socket.once('connect', () => answer(true));
		socket.once('error', () => answer(false));
	});
}

function canListen(port) {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, host, () => server.close(() => resolve(true)));
	});
}
