import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INode, NodeParameterValue } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };

type Credential = { id: string; name: string; type: string };

/** Replaces nodes by others, and texts in the rest: what takes an account, and what takes days. */
export function exampleFile(
	credential: Credential,
	file: string,
	replaced: Record<string, (node: INode) => Partial<INode>>,
	texts: Array<[string, string]> = [],
): Example {
	const source = readFileSync(join(__dirname, '..', '..', 'examples', file), 'utf8');
	const missing = texts.filter(([text]) => !source.includes(text));
	expect(missing).toEqual([]);
	const changed = texts.reduce((text, [from, to]) => text.replace(from, to), source);
	const read = JSON.parse(changed) as Example;
	const { id, name, type } = credential;
	const nodes = read.nodes.map((node): INode => {
		const other = replaced[node.name];
		if (other) return { ...node, ...other(node) };
		const isOurs = node.type.startsWith('n8n-nodes-documenso.');
		return isOurs ? { ...node, credentials: { [type]: { id, name } } } : node;
	});
	return { ...read, nodes };
}

/** Stands for a service's node: returns what that would be given. */
export function asFields(...fields: string[]) {
	return ({ parameters }: INode) =>
		returning(Object.fromEntries(fields.map((name) => [name, parameters[name] as string])));
}

export function returning(values: Record<string, NodeParameterValue>): Partial<INode> {
	const assignments = Object.entries(values).map(([name, value]) => {
		return { id: name, name, value, type: 'string' };
	});
	const parameters = { assignments: { assignments }, options: {} };
	return { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
}

/** Stands for a node that writes a row into a sheet: returns that row. */
export function asRow({ parameters: { columns } }: INode): Partial<INode> {
	return returning((columns as { value: Record<string, string> }).value);
}

/** Stands for a node that reads a sheet with these rows. */
export function reading(rows: IDataObject[]): Partial<INode> {
	const jsCode = `return ${JSON.stringify(rows.map((json) => ({ json })))};`;
	return { type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
}
