import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import host from '../../n8n-host/n8n/package.json';
import { version } from '../../package.json';

interface Service {
	build?: string;
	image: string;
	environment: Record<string, unknown>;
}

const read = (name: string) =>
	readFileSync(join(__dirname, '..', '..', 'docs', 'scaling', name), 'utf8');

const { services } = parse(read('compose.yaml'), { merge: true }) as {
	services: Record<string, Service>;
};

test('in the compose file, all processes of n8n have the same image and settings', () => {
	const ofN8n = Object.entries(services).filter(([, { build }]) => build !== undefined);
	expect(ofN8n.map(([name]) => name)).toEqual(['main', 'webhook1', 'webhook2', 'worker']);
	for (const [, { image, environment }] of ofN8n) {
		expect({ image, environment }).toEqual({
			image: services.main?.image,
			environment: services.main?.environment,
		});
	}
});

test('the compose file gives the load balancer all addresses that its configuration asks for', () => {
	const asked = [...read('haproxy.cfg').matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name);
	expect(asked.sort()).toEqual(Object.keys(services.balancer?.environment ?? {}).sort());
});

test('the image has the n8n that the tests run, and this version of the package', () => {
	expect(read('Dockerfile')).toContain(`n8nio/n8n:${host.dependencies.n8n}@sha256:`);
	expect(read('Dockerfile')).toContain(`n8n-nodes-documenso@${version}\n`);
});
