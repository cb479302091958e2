import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import renovate from '../../renovate.json';

const root = join(__dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

interface Job {
	needs?: string;
	environment?: string;
	permissions: Record<string, string>;
	steps: Array<{ uses?: string; run?: string }>;
}

const { permissions, on, jobs } = parse(textOf('.github/workflows/publish.yml')) as {
	permissions: object;
	on: { push: { tags: string[] } };
	jobs: Record<'pack' | 'publish', Job>;
};
const { pack, publish } = jobs;
const commands = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

test('what runs the code of others may only read', () => {
	expect(permissions).toEqual({});
	expect(pack.permissions).toEqual({ contents: 'read' });
	expect(commands(pack)).toEqual(expect.arrayContaining(['npm ci', 'npm run check']));
	expect(JSON.stringify(pack.steps)).toContain('"persist-credentials":false');
});

test('what may publish runs no code of ours or of others, and waits for a reviewer', () => {
	expect(publish.permissions).toEqual({ 'id-token': 'write' });
	expect(publish).toMatchObject({ needs: 'pack', environment: 'npm' });
	expect(commands(publish)).toEqual([
		'npm publish ./*.tgz --provenance --access public --ignore-scripts',
	]);
	const actions = publish.steps.flatMap(({ uses }) => uses?.split('@')[0] ?? []);
	expect(actions).toEqual(['actions/download-artifact', 'actions/setup-node']);
});

test('only a tag on main that is the version is published', () => {
	expect(Object.keys(on)).toEqual(['push']);
	expect(on.push).toEqual({ tags: ['v*.*.*'] });
	const [ancestor, version, ...rest] = commands(pack);
	expect(ancestor).toBe('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
	expect(version).toContain("require('./package.json').version");
	expect(rest[0]).toBe('npm ci');
});

test('every action and image is one that nobody can replace', () => {
	const actions = ['ci', 'publish'].flatMap((name) => [
		...textOf(`.github/workflows/${name}.yml`).matchAll(/uses: (\S+)/g),
	]);
	for (const [, action] of actions) expect(action).toMatch(/@[\da-f]{40}$/);
	const files = [
		'docs/docker/compose.yaml',
		'docs/scaling/compose.yaml',
		'docs/scaling/Dockerfile',
	];
	const images = files.flatMap((file) => [
		...textOf(file).matchAll(/^\s*(?:FROM|image:) (\S+[:@]\S+)$/gm),
	]);
	expect(images).toHaveLength(5);
	for (const [, image] of images) expect(image).toMatch(/:[\w.-]+@sha256:[\da-f]{64}$/);
});

test('a new version of a package is days old before it is taken', () => {
	expect(renovate.minimumReleaseAge).toBe('7 days');
});
