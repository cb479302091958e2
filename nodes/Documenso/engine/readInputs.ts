import type { Input, Inputs, Limit, Values } from '../../shared/n8n/input';
import { adviceIn, inPlainWords, labelAt, namedFaultIn } from '../../shared/n8n/inputFaults';
import type { Parameters } from '../../shared/n8n/parameters';
import { Refusal } from '../../shared/n8n/refusal';

/**
 * Reads the values of an item's inputs. Throws a Refusal that names the input, and inside it the row and the inner
 * input, by their labels.
 */
export function readInputs<I extends Inputs>(
	inputs: I,
	parameters: Parameters,
	item: number,
): Values<I> {
	const read: Record<string, unknown> = {};
	for (const [name, one] of Object.entries(inputs)) {
		const { property, schema, conditions = [] } = one;
		const isShown = conditions.every(
			({ input, values }) =>
				// As n8n compares it, or as it is read: an expression may give "true" as text.
				values.includes(parameters.read(input, item)) || values.includes(read[input]),
		);
		read[name] = undefined;
		if (!isShown) continue;
		const entered = parameters.read(name, item);
		const limits = parameters.isFixed(name) ? [] : limitsIn(one, parameters.rows(name));
		for (const { path, mayBeBlank, shown } of limits) {
			const whole = [name, ...path];
			const empty = mayBeBlank
				? parameters.brokenExpressions(whole, item, entered)
				: parameters.emptyExpressions(whole, item);
			if (empty.length > 0) throw givesNothing(labelAt(property, shown), empty);
		}
		const result = schema.safeParse(entered, { errorMap: inPlainWords });
		if (!result.success) {
			throw new Refusal(namedFaultIn(result.error, property), adviceIn(result.error));
		}
		read[name] = result.data;
	}
	for (const [name, { partOf }] of Object.entries(inputs)) {
		if (partOf) read[partOf] = { ...(read[partOf] as object), ...(read[name] as object) };
	}
	// Each name has the value that its schema has read.
	return read as Values<I>;
}

/** Where an expression must give something, and how users call the place: they count the rows of all groups. */
function limitsIn(
	{ limits = [], rowLimits = [] }: Input<unknown>,
	groups: ReturnType<Parameters['rows']>,
): Array<Limit & { shown: Array<string | number> }> {
	const inRows = rowLimits.flatMap(({ path, mayBeBlank }) =>
		groups
			.flatMap(({ group, count }) =>
				Array.from({ length: count }, (_, row) => [group, String(row)]),
			)
			.map((row, index) => ({ path: [...row, ...path], mayBeBlank, shown: [index, ...path] })),
	);
	return [...limits.map((one) => ({ ...one, shown: one.path })), ...inRows];
}

function givesNothing(label: string, expressions: string[]): Refusal {
	return new Refusal(
		`'${label}' has an expression that gives nothing: ${expressions.join(', ')}`,
		'Correct the expression. If the input may be empty, remove the expression; if a text may lack a part, write the whole text as one expression.',
	);
}
