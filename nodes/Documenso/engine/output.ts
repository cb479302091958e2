import type { IDataObject } from 'n8n-workflow';

import { linkOptions, options, outputChoice } from './commonInputs';
import type { Execution } from '../../shared/n8n/execution';
import { errorOutput, escaped, failureOf, type FailedItem } from '../../shared/n8n/nodeError';
import { readInputs } from './readInputs';
import { picked } from '../../shared/n8n/values';
import type { ItemOutput, Work } from './work';

/** The most useful keys of a record; signing links only if they were asked for. */
export type Simplify = (record: IDataObject, withLinks: boolean) => IDataObject;

const linkInputs = { options: options(linkOptions) };

/** Returns of each record what the item's input Output asks for. */
export function simplified(
	work: Work,
	execution: Execution,
	{ simplify, hasLinks }: { simplify: Simplify; hasLinks: boolean },
): Work {
	const { parameters } = execution;
	const selection = new Selection();
	execution.onEnd(() => selection.tellMissing(execution));
	return async (index) => {
		const { output, outputFields = [] } = readInputs(outputChoice, parameters, index);
		const links = hasLinks && readInputs(linkInputs, parameters, index).options.includeSigningLinks;
		const asked = (record: IDataObject): IDataObject => {
			if (output === 'selected') return selection.of(record, outputFields);
			return output === 'raw' ? record : simplify(record, links === true);
		};
		return (await work(index)).map(({ json, ...rest }) => ({ json: asked(json), ...rest }));
	};
}

/** The fields that the user has named, and which of them no record has had. */
class Selection {
	private readonly known = new Set<string>();
	private readonly missing = new Set<string>();

	of(record: IDataObject, names: string[]): IDataObject {
		for (const name of Object.keys(record)) this.known.add(name);
		for (const name of names) this.missing.add(name);
		return picked(record, names);
	}

	/** A hint, because a field may be optional. */
	tellMissing({ hints }: Execution) {
		const missing = [...this.missing].filter((name) => !this.known.has(name));
		// Without any record, nothing is known.
		if (missing.length === 0 || this.known.size === 0) return;
		const names = (some: Iterable<string>) => [...some].map(escaped).join(', ');
		hints.say(
			`'Fields' names what no record of this run has: ${names(missing)}. The records have: ${names(this.known)}.`,
			'warning',
		);
	}
}

/** An ending asks for the rest again. What is remembered of an item would be in n8n's database as long as it takes. */
export function onlyIds(work: Work): Work {
	return async (index) => (await work(index)).map(({ json: { id } }) => ({ json: { id } }));
}

/** Says first that it is a test, whatever else the output holds. */
export function marked(work: Work): Work {
	return async (index) =>
		(await work(index)).map(({ json, ...rest }) => ({ json: { isTest: true, ...json }, ...rest }));
}

/** The keys under which operations add to an item of the input. */
export const ADDED = {
	check: 'documensoCheck',
	preview: 'documensoPreview',
	/** What was done for a row. */
	result: 'documensoResult',
};

/** Whether the item's input Output asks for its row, too. If that cannot be read, the item fails with that. */
export function asksForRow({ parameters }: Execution, index: number): boolean {
	try {
		return parameters.read('output', index) === 'row';
	} catch {
		return false;
	}
}

/** An item as it came in, with what was done for it. Not remembered: a retry has the rows again. */
export function withRow(output: ItemOutput[], execution: Execution, index: number): ItemOutput[] {
	// Otherwise a row for which a list has nothing would disappear.
	const results: ItemOutput[] = output.length > 0 ? output : [{ json: { found: 0 } }];
	return results.map(({ json, binary }) => {
		const row = rowWith({ [ADDED.result]: { ok: true, ...json } }, execution, index);
		return binary ? { ...row, binary: { ...row.binary, ...binary } } : row;
	});
}

/**
 * The same for an item that failed. With an error output, n8n sends an item there only without the row, and then adds the
 * row itself.
 */
export function failedRow(execution: Execution, failed: FailedItem): ItemOutput {
	const node = execution.context.getNode();
	const failure = failureOf(execution.context, failed);
	if (node.onError === 'continueErrorOutput') return { json: errorOutput(node, failure) };
	const { description: advice, ...details } = failure.details;
	const result = { ok: false, error: failure.error, ...(advice ? { advice } : {}), ...details };
	return rowWith({ [ADDED.result]: result }, execution, failed.item);
}

/** An item as it came in, with what an operation adds to it. */
export function rowWith(added: IDataObject, { context }: Execution, index: number): ItemOutput {
	const { json, binary } = context.getInputData()[index] ?? {};
	return { json: { ...json, ...added }, ...(binary ? { binary } : {}) };
}
