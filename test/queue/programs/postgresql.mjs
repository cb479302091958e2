import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { run } from '../../../n8n-host/children.mjs';
import { freePort } from '../../../n8n-host/ports.mjs';
import { installed } from '../../installed.mjs';
import { Restartable } from './restartable.mjs';

const host = '127.0.0.1';
const user = 'n8n';
const database = 'n8n';
/** Debian keeps the versions apart. */
const debianFolder = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const account = 'postgres';

/** A new database, for n8n alone. */
export async function startPostgresql(logDir) {
	const server = await installed(
		{
			title: 'PostgreSQL',
			variable: 'POSTGRES',
			commands: ['postgres'],
			places: () =>
				existsSync(debianFolder)
					? readdirSync(debianFolder).map((name) => join(debianFolder, name, 'bin', 'postgres'))
					: [],
			debianPackage: 'postgresql',
		},
		logDir,
	);
	const programs = dirname(server);
	const port = await freePort();
	const folder = await mkdtemp(join(tmpdir(), 'documenso-postgresql-'));
	const data = join(folder, 'data');
	await mkdir(data);
	if (process.getuid?.() === 0) {
		await chmod(folder, 0o755);
		await run('chown', 'chown', ['-R', account, folder], { logFile: join(logDir, 'chown.log') });
	}
	const asServer = (command, args) =>
		process.getuid?.() === 0
			? ['runuser', ['-u', account, '--', command, ...args]]
			: [command, args];
	const [initdb, initdbArgs] = asServer(join(programs, 'initdb'), [
		...['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale', 'C'],
	]);
	await run('initdb', initdb, initdbArgs, { cwd: folder, logFile: join(logDir, 'initdb.log') });

	const psql = async (name, sql) => {
		const args = ['-h', host, '-p', `${port}`, '-U', user, '-d', name, '-At', '-c', sql];
		const options = { maxBuffer: Infinity };
		const { stdout } = await promisify(execFile)(join(programs, 'psql'), args, options);
		return stdout.split('\n').filter((line) => line !== '');
	};
	const [command, args] = asServer(server, [
		...['-D', data, '-p', `${port}`, '-k', folder],
		...['-c', `listen_addresses=${host}`, '-c', 'max_connections=200'],
	]);
	const program = new Restartable('PostgreSQL', {
		command,
		args,
		cwd: folder,
		logDir,
		isReady: () => psql('postgres', 'SELECT 1'),
	});
	await program.start();
	await psql('postgres', `CREATE DATABASE ${database}`);
	return {
		program,
		environment: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: host,
			DB_POSTGRESDB_PORT: `${port}`,
			DB_POSTGRESDB_DATABASE: database,
			DB_POSTGRESDB_USER: user,
			DB_POSTGRESDB_PASSWORD: '',
		},
		/** The rows of the answer, with "|" between columns. */
		query: (sql) => psql(database, sql),
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}
