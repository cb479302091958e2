import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
const folders = 'nodes credentials emulator conformance demo bench test'.split(' ');

function textOf(path: string): string {
	return readFileSync(join(root, path), 'utf8');
}

/** The code in a folder, without what is installed there. */
function sources(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = `${folder}/${entry.name}`;
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sources(path);
		return /\.(ts|mjs|js)$/.test(entry.name) ? [path] : [];
	});
}

const headings = [...textOf('docs/documenso-api.md').matchAll(/^##+ (.+)$/gm)].map(
	([, heading = '']) => heading,
);
const files = folders.flatMap(sources).map((path) => {
	// A reference may go on in the next line of its comment.
	return { path, text: textOf(path).replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ') };
});

test('every heading of docs/documenso-api.md can be cited', () => {
	expect(new Set(headings).size).toBe(headings.length);
	expect(headings.filter((heading) => /[;)]/.test(heading))).toEqual([]);
});

test('comments cite headings that docs/documenso-api.md has', () => {
	const citations = files.flatMap(({ path, text }) =>
		[...text.matchAll(/documenso-api\.md: ([^)]*)\)/g)].flatMap(([, cited = '']) =>
			cited.split('; ').map((heading) => ({ path, heading })),
		),
	);
	expect(citations.length).toBeGreaterThan(0);
	expect(citations.filter(({ heading }) => !headings.includes(heading))).toEqual([]);
});

test('no comment cites documents that are not in the repository', () => {
	const citing = files.filter(({ text }) => /\b(?:contract|observed) §/i.test(text));
	expect(citing.map(({ path }) => path)).toEqual([]);
});

const guides = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
	...readdirSync(join(root, 'docs')).flatMap((name) =>
		/\.md$/.test(name) ? [`docs/${name}`] : [],
	),
];

test.each(guides)('links in %s lead to files and headings that are there', (guide) => {
	const links = [...textOf(guide).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
	const broken = links.filter(([, path = '', anchor]) => {
		const target = path ? join(dirname(guide), path) : guide;
		if (!existsSync(join(root, target))) return true;
		return anchor !== undefined && !anchorsOf(target).includes(anchor);
	});
	expect(broken.map(([link]) => link)).toEqual([]);
});

/** As GitHub makes them of headings. */
function anchorsOf(path: string): string[] {
	return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\w -]/g, '')
			.replace(/ /g, '-'),
	);
}
