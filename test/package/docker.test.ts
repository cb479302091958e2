import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

interface Service {
	build: string | { context: string; dockerfile_inline: string };
	environment?: Record<string, string>;
	volumes?: string[];
	network_mode?: string;
}

const folder = join(__dirname, '..', '..', 'docs', 'docker');
const { services } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8')) as {
	services: Record<'n8n' | 'documenso', Service>;
};
const { n8n, documenso } = services;

const folderOf = (volume: string) => volume.split(':')[1] ?? '';

test('n8n keeps its data in a volume, which hides nothing of the image', () => {
	const [data = '', files] = (n8n.volumes ?? []).map(folderOf);
	expect(n8n.environment?.DB_SQLITE_DATABASE).toBe(`${data}/database.sqlite`);
	expect(n8n.environment?.N8N_STORAGE_PATH).toBe(`${data}/storage`);
	expect(n8n.environment?.N8N_RESTRICT_FILE_ACCESS_TO).toBe(files);
	expect(data).not.toContain('.n8n');
	const image = readFileSync(join(folder, n8n.build as string, 'Dockerfile'), 'utf8');
	// Otherwise the volume would belong to root, and n8n could not write.
	expect(image).toContain(`RUN mkdir ${data}\n`);
});

test('the local Documenso is built from what is in the repository, and answers in the network of n8n', () => {
	expect(documenso.network_mode).toBe('service:n8n');
	const { context, dockerfile_inline: dockerfile } = documenso.build as {
		context: string;
		dockerfile_inline: string;
	};
	const copied = [...dockerfile.matchAll(/^COPY (.*) \S+$/gm)].flatMap(
		([, names]) => names?.split(' ') ?? [],
	);
	expect(copied).toContain('emulator');
	for (const name of copied) expect(existsSync(join(folder, context, name))).toBe(true);
});
