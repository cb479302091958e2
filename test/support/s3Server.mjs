// A server that speaks S3's protocol, in a process of its own: forked, it sends its port, and ends with who forked it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import S3rver from '@20minutes/s3rver';

const directory = await mkdtemp(join(tmpdir(), 's3-'));
const server = new S3rver({
	address: '127.0.0.1',
	port: 0,
	silent: true,
	directory,
	configureBuckets: [{ name: 'n8n' }],
	// It finds the signatures of n8n's client wrong.
	allowMismatchedSignatures: true,
});
const { port } = await server.run();
process.once('disconnect', async () => {
	await rm(directory, { recursive: true });
	process.exit();
});
process.send(port);
