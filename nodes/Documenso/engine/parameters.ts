import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';

import { isBlank } from './values';

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

	/** The expressions of a text that give nothing for an item, as the user wrote them; `path` leads to the text. */
	emptyExpressions(path: string[], item: number): string[] {
		const entered = path.reduce<unknown>(innerValue, this.entered);
		if (typeof entered !== 'string' || !hasExpression(entered)) return [];
		return ExpressionParser.splitExpression(entered.slice(1))
			.flatMap((part) => (part.type === 'code' ? [`{{${part.text}}}`] : []))
			.filter((expression) => isBlank(this.context.evaluateExpression(expression, item)));
	}
}

function innerValue(outer: unknown, name: string): unknown {
	return typeof outer === 'object' && outer !== null
		? (outer as Record<string, unknown>)[name]
		: undefined;
}

/** To n8n, text is an expression if it begins with an equals sign. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(hasExpression);
}
