import { isNotFound } from '../../shared/api/failure';
import type { Inputs } from '../../shared/n8n/input';

/** What Documenso calls the things that inputs name, where users call them otherwise. */
const LABELS: Partial<Record<string, string>> = { Envelope: 'Document or Template' };

/** Says which ID Documenso did not find, where an input names it: its own words are only "Field not found". */
export function withMissingId(error: unknown, inputs: Inputs, values: object): unknown {
	if (!isNotFound(error)) return error;
	const [, said = ''] = /^(\w+) not found$/.exec(error.message) ?? [];
	const label = LABELS[said] ?? said;
	const isNamed = (name: string) => {
		const { type, displayName } = inputs[name]?.property ?? {};
		return type === 'resourceLocator' && displayName === label;
	};
	const [, id] = Object.entries(values).find(([name, value]) => value && isNamed(name)) ?? [];
	return id ? error.withMessage(`There is no ${label.toLowerCase()} with the ID ${id}`) : error;
}
