// Compares a Documenso's description of itself with what the nodes send and read: npm run drift -- openapi.json
import '../../test/support/environment';

import { readFile } from 'node:fs/promises';

import type { Difference } from './compare';
import { breaking, driftOf, partition, type Description } from './drift';
import { readKnown } from './ours';

const columns = {
	kind: ({ kind }: Difference) => kind,
	endpoint: ({ endpoint }: Difference) => endpoint,
	part: ({ part }: Difference) => part,
	property: ({ property }: Difference) => property,
	detail: ({ detail }: Difference) => detail,
};

async function main([file]: string[]): Promise<number> {
	if (!file) {
		console.error(
			'Usage: npm run drift -- openapi.json\nA Documenso serves its own at /api/v2/openapi.json.',
		);
		return 2;
	}
	const { table } = await import('../../n8n-host/table.mjs');
	const description = JSON.parse(await readFile(file, 'utf8')) as Partial<Description>;
	if (!description.paths) {
		console.error(`${file} is no OpenAPI document: it has no "paths".`);
		return 2;
	}
	const { listed, unlisted } = partition(driftOf({ paths: description.paths }, await readKnown()));
	if (unlisted.length > 0) console.log(`${table(columns, unlisted)}\n`);
	const broken = breaking(unlisted).length;
	const added = unlisted.length - broken;
	console.log(
		`${broken} gone or changed, ${added} new, ${listed.length} in conformance/drift/known.json`,
	);
	return broken > 0 ? 1 : 0;
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
