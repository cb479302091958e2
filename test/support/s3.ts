import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { S3ByteStore } from '@n8n/blob-storage';
import { ObjectStoreService } from '@n8n/blob-storage/object-store';
import { Container } from '@n8n/di';
import { BinaryDataBlobManager, ErrorReporter } from 'n8n-core';

/** S3 as n8n keeps files in it, on a server of its own. n8n itself asks for a licence before it begins to. */
export async function filesInS3(): Promise<BinaryDataBlobManager> {
	const server = fork(join(__dirname, 's3Server.mjs'));
	const [port] = (await once(server, 'message')) as [number];
	// It ends when this process does.
	server.unref();
	server.channel?.unref();
	const settings = {
		HOST: `127.0.0.1:${String(port)}`,
		PROTOCOL: 'http',
		FORCE_PATH_STYLE: 'true',
		BUCKET_NAME: 'n8n',
		BUCKET_REGION: 'us-east-1',
		ACCESS_KEY: 'S3RVER',
		ACCESS_SECRET: 'S3RVER',
	};
	for (const [name, value] of Object.entries(settings)) {
		process.env[`N8N_EXTERNAL_STORAGE_S3_${name}`] = value;
	}
	const store = Container.get(ObjectStoreService);
	await store.init();
	return new BinaryDataBlobManager(new S3ByteStore(store), Container.get(ErrorReporter));
}
