import type { IExecuteFunctions } from 'n8n-workflow';

/** What the user entered in the node. */
export class Parameters {
	private readonly entered;
	/** Values without expressions: the same for all items, and n8n takes long to read them for each. */
	private readonly fixed = new Map<string, unknown>();

	constructor(private readonly context: IExecuteFunctions) {
		this.entered = context.getNode().parameters;
	}

	/** The value for an item; undefined for an input that the editor hides. */
	read(name: string, item: number): unknown {
		if (this.fixed.has(name)) return this.fixed.get(name);
		// Without a fallback n8n would throw.
		const value =
			this.context.getNodeParameter(name, item, null, { extractValue: true }) ?? undefined;
		if (!hasExpression(this.entered[name])) this.fixed.set(name, value);
		return value;
	}
}

/** To n8n, text is an expression if it begins with an equals sign. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(hasExpression);
}
