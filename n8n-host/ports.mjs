import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

import { UserError } from './userError.mjs';

const host = '127.0.0.1';

/**
 * From here to the last one, no system gives a port to a connection that a program opens. One from
 * above would be taken now and then before the program that is to listen on it has started.
 */
const FIRST = 20_000;
const LAST = 32_767;

const given = new Set();

export async function freePort() {
	const port = randomInt(FIRST, LAST + 1);
	if (given.has(port)) return freePort();
	given.add(port);
	return (await isTaken(port)) ? freePort() : port;
}

/** The ports to use: those asked for, if no other program has them; otherwise free ones. */
export async function choosePorts(wanted) {
	assertDistinct(wanted);
	const chosen = {};
	for (const [service, port] of Object.entries(wanted)) {
		if (port !== undefined && (await isTaken(port))) {
			throw new UserError(
				`Port ${port} (${service}) is taken by another program; choose another one with: npm start -- --${service}-port <port>`,
			);
		}
		chosen[service] = port ?? (await freePort());
	}
	return chosen;
}

function assertDistinct(wanted) {
	const services = new Map();
	for (const [service, port] of Object.entries(wanted)) {
		if (port === undefined) continue;
		if (services.has(port)) {
			throw new UserError(
				`Port ${port} is set for both ${services.get(port)} and ${service}; choose another one for ${service}.`,
			);
		}
		services.set(port, service);
	}
}

async function isTaken(port) {
	// On macOS, listening on loopback succeeds although another program listens on all addresses.
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
