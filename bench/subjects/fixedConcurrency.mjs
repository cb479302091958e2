import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { rolldown } from 'rolldown';

import { root } from '../../n8n-host/paths.mjs';
import { createDocument } from './rows.mjs';
import { workflow } from './workflow.mjs';
import { thisNode } from '../targets.mjs';

const limits = [4, 8];
const classOf = (limit) => `DocumensoFixed${limit}`;
const pathOf = (file) => JSON.stringify(join(root, 'nodes', file));

/** This node, but with a fixed number of concurrent requests: what the adaptive limit has to be better than. */
export const fixedConcurrency = limits.map((limit) =>
	workflow(`${thisNode}, fixed at ${limit}`, (testbed) => [
		{ ...createDocument(testbed, {}), type: `CUSTOM.${classOf(limit)}` },
	]),
);

/** Builds the nodes of these subjects. Each bundle has its own copy of `Service`. */
export async function buildFixedNodes(folder) {
	for (const limit of limits) {
		const input = join(folder, `${classOf(limit)}.mjs`);
		await writeFile(input, source(limit));
		const bundle = await rolldown({ input, external: ['luxon', 'n8n-workflow', 'zod'] });
		await bundle.write({ file: join(folder, `${classOf(limit)}.node.js`), format: 'cjs' });
		await bundle.close();
	}
}

const source = (limit) => `
import { Service } from ${pathOf('shared/api/service.ts')};
import { Documenso } from ${pathOf('Documenso/Documenso.node.ts')};

Object.defineProperty(Service.prototype, 'limit', { get: () => ${limit} });

export class ${classOf(limit)} extends Documenso {
	constructor() {
		super();
		Object.assign(this.description, { name: '${classOf(limit)}', icon: undefined });
	}
}
`;
