import { parseArgs } from 'node:util';
import {
	DEMO_TEAM,
	DEMO_TOKEN,
	startEmulator,
	type DeliveryOrder,
	type Emulator,
	type EmulatorOptions,
} from './index';

const USAGE = `Usage: tsx emulator/cli.ts [--port 4010] [--host 127.0.0.1] [--allow-host NAME]…
                           [--seed demo|empty] [--base-path /path] [--webhook URL]
                           [--webhook-secret SECRET]
                           [--deliveries inOrder|concurrent] [--latency-ms MS]
                           [--workers COUNT --work-ms MS] [--rate-limit REQUESTS_PER_MINUTE]
                           [--max-file-bytes BYTES] [--convert-word-files]`;

function readArguments() {
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
	if (values.seed !== 'demo' && values.seed !== 'empty') {
		throw new Error(`--seed must be demo or empty, not "${values.seed}"`);
	}
	if (values.deliveries !== 'inOrder' && values.deliveries !== 'concurrent') {
		throw new Error(`--deliveries must be inOrder or concurrent, not "${values.deliveries}"`);
	}
	const seed: 'demo' | 'empty' = values.seed;
	const deliveries: DeliveryOrder = values.deliveries;
	const { 'base-path': basePath, 'allow-host': allowHosts, ...texts } = values;
	return { ...texts, ...limits(texts), port, seed, deliveries, basePath, allowHosts };
}

type Texts = Record<string, string | boolean | undefined>;

/** Options that make the local Documenso slow or strict; without a flag, the default of `startEmulator` applies. */
function limits(values: Texts): EmulatorOptions {
	const latencyMs = count(values, 'latency-ms');
	const workers = count(values, 'workers');
	const workMs = count(values, 'work-ms');
	const limit = count(values, 'rate-limit');
	const maxFileBytes = count(values, 'max-file-bytes');
	if ((workers === undefined) !== (workMs === undefined)) {
		throw new Error('--workers and --work-ms have to be used together');
	}
	return {
		latencyMs,
		capacity: workers && workMs ? { workers, workMs } : undefined,
		rateLimit: limit ? { limit, windowMs: 60_000 } : undefined,
		maxFileBytes,
		convertsWordFiles: values['convert-word-files'] === true,
	};
}

function count(values: Texts, flag: string): number | undefined {
	const text = values[flag];
	if (text === undefined) return undefined;
	const number = Number(text);
	if (Number.isInteger(number) && number > 0) return number;
	throw new Error(`--${flag} must be a whole number above 0, not "${text}"`);
}

async function main(): Promise<void> {
	const { help, webhook, 'webhook-secret': secret, ...options } = readArguments();
	if (help) return void process.stdout.write(`${USAGE}\n`);
	const emulator = await startEmulator(options);
	if (webhook) emulator.webhooks.add({ url: webhook, secret });
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
