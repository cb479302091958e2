import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import { freePort } from '../../../n8n-host/ports.mjs';
import { installed } from '../../installed.mjs';
import { Restartable } from './restartable.mjs';

const host = '127.0.0.1';

/** Redis as docs/scaling.md recommends it: it writes down what it is told, and so remembers it after a crash. */
export async function startRedis(stateDir, logDir) {
	const command = await installed(
		{
			title: 'Redis',
			variable: 'REDIS',
			commands: ['redis-server', 'valkey-server'],
			debianPackage: 'redis-server',
		},
		logDir,
	);
	const port = await freePort();
	const folder = join(stateDir, 'redis');
	await mkdir(folder);
	const program = new Restartable('Redis', {
		command,
		args: ['--bind', host, '--port', `${port}`, '--dir', folder, '--appendonly', 'yes'],
		cwd: folder,
		logDir,
		isReady: () => ping(port),
	});
	await program.start();
	return {
		program,
		environment: { QUEUE_BULL_REDIS_HOST: host, QUEUE_BULL_REDIS_PORT: `${port}` },
	};
}

/** While Redis reads what it has written down, it answers with an error. */
function ping(port) {
	return new Promise((resolve, reject) => {
		const socket = connect(port, host, () => socket.write('PING\r\n'));
		socket.once('error', reject);
		socket.once('data', (answer) => {
			socket.destroy();
			if (`${answer}`.startsWith('+PONG')) resolve();
			else reject(new Error(`${answer}`));
		});
	});
}
