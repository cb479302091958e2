import { root } from '../../../n8n-host/paths.mjs';
import { freePort } from '../../../n8n-host/ports.mjs';
import { installed } from '../../installed.mjs';
import { Restartable } from './restartable.mjs';

/** The load balancer with the configuration of docs/scaling.md. `addresses` are the environment variables in it. */
export async function startHaproxy(name, logDir, { config, addresses }) {
	const command = await installed(
		{
			title: 'HAProxy',
			variable: 'HAPROXY',
			commands: ['haproxy'],
			places: () => ['/usr/sbin/haproxy'],
			debianPackage: 'haproxy',
		},
		logDir,
	);
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const program = new Restartable(name, {
		command,
		args: ['-db', '-f', config],
		cwd: root,
		env: { ...process.env, ADDRESS: `127.0.0.1:${port}`, ...addresses },
		logDir,
		isReady: () => fetch(url),
	});
	await program.start();
	return { program, url };
}
