import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outputChoice } from './commonInputs';
import { readInputs } from './input';
import { Parameters } from './parameters';
import { withMaskedAddresses } from './values';

/** Whether a model gets the output: that of an agent, or of whoever calls n8n's MCP server. */
export function isTool(context: IExecuteFunctions): boolean {
	// Agents from version 3 on tell it only by the type.
	if (context.getNode().type.endsWith('Tool')) return true;
	// Older versions of n8n do not have the function.
	return 'isToolExecution' in context && context.isToolExecution();
}

/** Who has one of these can sign, or edit. */
const SECRET_KEY = /token$|^signingUrl$/i;
const SECRET_IN_TEXT = /(\/sign\/|[?&][\w-]*token=)[\w.~%-]{8,}/gi;

interface Shown {
	/** Whether the user can choose how much of a record to return. */
	simplify?: unknown;
	/** Who gave the operation to a model has chosen the link. */
	givesLink?: true;
}

/** Runs a node as a tool: the provider of the model sees what it returns, and its errors. */
export async function asTool(
	context: IExecuteFunctions,
	{ simplify, givesLink }: Shown,
	run: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const parameters = new Parameters(context);
	const isLeftToModel = ['output', 'outputFields']
		.flatMap((name) => parameters.expressions([name]))
		.some((expression) => /\$fromAI/i.test(expression));
	const isChosen = (item: number) =>
		Boolean(simplify) &&
		!isLeftToModel &&
		readInputs(outputChoice, parameters, item).output !== 'simplified';
	const output = await run().catch((caught: unknown) => {
		throw withMaskedText(caught);
	});
	return output.map(({ json, ...rest }) => {
		// The engine pairs each item with one of the input.
		const { item } = rest.pairedItem as { item: number };
		const isAsChosen = !('error' in json) && isChosen(item);
		return { json: isAsChosen ? json : masked(json, Boolean(givesLink)), ...rest };
	});
}

function masked(json: IDataObject, keepsLinks: boolean): IDataObject {
	const text = JSON.stringify(json, (key, value: unknown) => {
		if (!keepsLinks && SECRET_KEY.test(key)) return undefined;
		// The model may have to give an external ID back.
		if (typeof value !== 'string' || key === 'externalId') return value;
		return keepsLinks ? withMaskedAddresses(value) : maskedText(value);
	});
	// It is a copy.
	return JSON.parse(text) as IDataObject;
}

function maskedText(text: string): string {
	return withMaskedAddresses(text.replace(SECRET_IN_TEXT, '$1…'));
}

/** Some agents show the model the description, too. */
function withMaskedText(caught: unknown): unknown {
	if (!(caught instanceof Error)) return caught;
	caught.message = maskedText(caught.message);
	if ('description' in caught && typeof caught.description === 'string') {
		caught.description = maskedText(caught.description);
	}
	return caught;
}
