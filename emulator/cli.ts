import { parseArgs } from 'node:util';
import { DEMO_TEAM, DEMO_TOKEN, startEmulator, type Emulator, type EmulatorOptions } from './index';

const USAGE = `Usage: tsx emulator/cli.ts [--port 4010] [--host 127.0.0.1] [--allow-host NAME]…
                           [--seed demo|empty] [--base-path /path] [--webhook URL]
                           [--webhook-secret SECRET]
                           [--deliveries inOrder|concurrent] [--latency-ms MS]
                           [--workers COUNT --work-ms MS] [--rate-limit REQUESTS_PER_MINUTE]
                           [--max-file-bytes BYTES] [--convert-word-files]`;

function readOptions() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			host: { type: 'string', default: '127.0.0.1' },
			'allow-host': { type: 'string', multiple: true },
			seed: { type: 'string', default: 'demo' },
			'base-path': { type: 'string', default: '' },
			webhook: { type: 'string' },
			'webhook-secret': { type: 'string' },
			deliveries: { type: 'string', default: 'inOrder' },
			'latency-ms': { type: 'string' },
			workers: { type: 'string' },
			'work-ms': { type: 'string' },
			'rate-limit': { type: 'string' },
			'max-file-bytes': { type: 'string' },
			'convert-word-files': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new Error(`--port must be a number up to 65535, not "${values.port}"`);
	}
	const workers = count('workers', values.workers);
	const workMs = count('work-ms', values['work-ms']);
	if ((workers === undefined) !== (workMs === undefined)) {
		throw new Error('--workers and --work-ms have to be used together');
	}
	const limit = count('rate-limit', values['rate-limit']);
	// Without a flag, the default of `startEmulator` applies.
	const options: EmulatorOptions = {
		port,
		host: values.host,
		allowHosts: values['allow-host'],
		basePath: values['base-path'],
		seed: choice('seed', values.seed, ['demo', 'empty'] as const),
		deliveries: choice('deliveries', values.deliveries, ['inOrder', 'concurrent'] as const),
		latencyMs: count('latency-ms', values['latency-ms']),
		capacity: workers && workMs ? { workers, workMs } : undefined,
		rateLimit: limit ? { limit, windowMs: 60_000 } : undefined,
		maxFileBytes: count('max-file-bytes', values['max-file-bytes']),
		convertsWordFiles: values['convert-word-files'],
	};
	return { options, help: values.help, url: values.webhook, secret: values['webhook-secret'] };
}

function choice<Value extends string>(
	flag: string,
	given: string,
	allowed: readonly Value[],
): Value {
	const chosen = allowed.find((value) => value === given);
	if (chosen !== undefined) return chosen;
	throw new Error(`--${flag} must be ${allowed.join(' or ')}, not "${given}"`);
}

function count(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const number = Number(text);
	if (Number.isInteger(number) && number > 0) return number;
	throw new Error(`--${flag} must be a whole number above 0, not "${text}"`);
}

async function main(): Promise<void> {
	const { options, help, url, secret } = readOptions();
	if (help) return void process.stdout.write(`${USAGE}\n`);
	const emulator = await startEmulator(options);
	if (url) emulator.webhooks.add({ url, secret });
	process.stdout.write(banner(emulator));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void emulator.close());
	}
}

function banner({ url }: Emulator): string {
	return `
Local Documenso

  Documents   ${url}/
  Webhooks    ${url}/t/${DEMO_TEAM.url}/settings/webhooks
  API         ${url}/api/v2
  API token   ${DEMO_TOKEN}

No emails are sent: open the signing pages from the list of documents. Press Ctrl+C to stop.

`;
}

main().catch((caught: unknown) => {
	const error = caught as NodeJS.ErrnoException & { address?: string; port?: number };
	const isInUse = error.code === 'EADDRINUSE';
	const inUse = `${error.address}:${error.port} is already in use. Choose another port with --port.`;
	process.stderr.write(`${isInUse ? inUse : error.message}\n`);
	process.exitCode = 1;
});
