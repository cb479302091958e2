import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { INode } from 'n8n-workflow';

interface Workflow {
	name: string;
	nodes: INode[];
}

const root = join(__dirname, '..', '..');

/** What tells somebody to set up what the demo has set up. */
const instruction =
	/\b(choose your|enter (the|who)|put `|publish this|copy the|add (it|the))|\*\*\d\.\*\*/i;

function imported(): Workflow[] {
	const module = pathToFileURL(join(root, 'demo', 'examples.mjs')).href;
	const settings = {
		credential: { id: 'c', name: 'Local Documenso', type: 'documensoApi' },
		templates: { rentalAgreement: {}, mutualNda: {}, employmentContract: {} },
		signedDir: '/signed',
		slackUrl: 'http://127.0.0.1/slack',
		pages: { documenso: 'http://127.0.0.1:3000', inbox: 'http://127.0.0.1:3001' },
	};
	const source = `import { loadExamples } from '${module}';
		console.log(JSON.stringify(await loadExamples(${JSON.stringify(settings)})));`;
	const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
		encoding: 'utf8',
	});
	return JSON.parse(stdout) as Workflow[];
}

function notesOf({ nodes }: Workflow): string[] {
	return nodes
		.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
		.map(({ parameters }) => parameters.content as string);
}

const workflows = imported();

test.each(workflows.map((workflow) => [workflow.name, workflow] as const))(
	'in the demo, the notes of "%s" say that it is ready, and ask for nothing that is done',
	(_name, workflow) => {
		const notes = notesOf(workflow);
		expect(notes.join('\n')).toContain('**Ready to run');
		for (const note of notes) expect(note).not.toMatch(instruction);
	},
);

test('in the demo, what the notes speak of is a click away', () => {
	const notes = workflows.flatMap(notesOf);
	expect(notes.filter((note) => note.includes('](http://127.0.0.1:3000)')).length).toBeGreaterThan(
		3,
	);
	expect(notes.filter((note) => note.includes('](http://127.0.0.1:3001)')).length).toBeGreaterThan(
		1,
	);
	for (const note of notes) {
		expect(note).not.toMatch(/[{}]/);
		expect(note.replaceAll(/\[[^\]]+\]\([^)]+\)/g, '')).not.toMatch(/local Documenso|inbox/);
	}
});

test.each(['fill-template-from-spreadsheet', 'create-send-and-file', 'contract-then-onboarding'])(
	'examples/%s.json still says what to set up',
	(name) => {
		const file = readFileSync(join(root, 'examples', `${name}.json`), 'utf8');
		expect(notesOf(JSON.parse(file) as Workflow).join('\n')).toMatch(instruction);
	},
);
