import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

type Property = Pick<INodeProperties, 'displayName' | 'options'>;

const KINDS: Readonly<Partial<Record<z.ZodParsedType, string>>> = {
	array: 'a list',
	boolean: 'true or false',
	number: 'a number',
	object: 'an object',
	string: 'text',
};

/** What is wrong with a value, where its schema says nothing; it continues "'Recipients' …". */
export const inPlainWords: z.ZodErrorMap = (issue, context) => {
	const message = context.defaultError;
	if (message !== z.defaultErrorMap(issue, context).message) return { message };
	switch (issue.code) {
		case 'invalid_type':
			if (issue.received === 'undefined') return { message: 'is missing' };
			return { message: `is not ${KINDS[issue.expected] ?? issue.expected}` };
		case 'unrecognized_keys':
			return { message: `has something that Documenso does not know: ${issue.keys.join(', ')}` };
		case 'invalid_union':
			return { message: 'has a value of the wrong kind' };
		default:
			return { message };
	}
};

/** A schema that knows what to do says so in the `params` of its issue. */
export function adviceIn(error: z.ZodError): string {
	return specialAdviceIn(error) ?? 'Correct the value, or the expression that gives it.';
}

/** What only this fault is advised. */
export function specialAdviceIn({ issues: [issue] }: z.ZodError): string | undefined {
	const params = issue && 'params' in issue ? issue.params : undefined;
	return typeof params?.advice === 'string' ? params.advice : undefined;
}

/** What is wrong, without the name of the input. */
export function faultIn({ issues: [issue] }: z.ZodError): string {
	return issue?.message ?? 'is not valid';
}

/** Such as "'Fields > Row 2 > Page' is below 1": counts rows from 1 and calls inputs by their labels, as users do. */
export function namedFaultIn(error: z.ZodError, property: Property): string {
	return `'${labelAt(property, error.issues[0]?.path ?? [])}' ${faultIn(error)}`;
}

/** The name that users know for the value at this path in an input. */
export function labelAt(property: Property, path: Array<string | number>): string {
	const inner = nested(property);
	const place = path.map((step) =>
		typeof step === 'number'
			? `Row ${step + 1}`
			: (inner.find(({ name }) => name === step)?.displayName ?? step),
	);
	return [property.displayName, ...place].filter(Boolean).join(' > ');
}

/** The inputs inside a collection, and inside those. A group gets no label: users think of the inputs in it. */
function nested({
	options = [],
}: Pick<Property, 'options'>): Array<{ name: string; displayName: string }> {
	return options.flatMap((option) => {
		if ('type' in option) return [option, ...nested(option)];
		if (!('values' in option)) return [];
		const inside = option.values.flatMap((one) => [one, ...nested(one)]);
		return [...inside, { name: option.name, displayName: '' }];
	});
}
