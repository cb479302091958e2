import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outputChoice } from './commonInputs';
import type { Description } from './operation';
import { readInputs } from './readInputs';
import type { Inputs } from '../../shared/n8n/input';
import { Parameters } from '../../shared/n8n/parameters';
import { withMaskedAddresses, withoutSecrets } from '../../shared/n8n/masking';
import { Refusal } from '../../shared/n8n/refusal';

/** Whether a model gets the output: that of an agent, or of whoever calls n8n's MCP server. */
export function isTool(context: IExecuteFunctions): boolean {
	// Agents from version 3 on tell it only by the type.
	return context.getNode().type.endsWith('Tool') || isCalledOutside(context);
}

/** Whether n8n's engine does not run the tool: that of an agent before version 3, or of n8n's MCP server. */
function isCalledOutside(context: IExecuteFunctions): boolean {
	// Older versions of n8n do not have the function.
	return 'isToolExecution' in context && context.isToolExecution();
}

/** There, each try of Retry On Fail is a new call to n8n, which knows nothing of the tries before. */
export function refuseRetries(context: IExecuteFunctions) {
	if (!isCalledOutside(context) || !context.getNode().retryOnFail) return;
	throw new Refusal(
		"'Retry On Fail' could do this twice: here, n8n counts each try as a new call",
		"Turn off 'Retry On Fail' in the settings of this tool. Agents from version 3 on can have it.",
	);
}

/** Who has one of these can sign, or edit. */
const SECRET_KEY = /token$|^signingUrl$/i;

/** Links and tokens, or whole addresses: who gives an operation to a model has chosen what it is there for. */
export type Revealed = 'links' | 'addresses';

/** Runs a node as a tool: the provider of the model sees what it returns, and its errors. */
export async function asTool(
	context: IExecuteFunctions,
	{ simplify, reveals }: Pick<Description<Inputs>, 'simplify' | 'reveals'>,
	run: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const parameters = new Parameters(context);
	// The data that an expression reads may come from the model.
	const isLeftToModel = ['output', 'outputFields'].some(
		(name) => parameters.expressions([name]).length > 0,
	);
	const isChosen = (item: number) =>
		Boolean(simplify) &&
		!isLeftToModel &&
		['raw', 'selected'].includes(readInputs(outputChoice, parameters, item).output);
	const output = await run().catch((caught: unknown) => {
		throw withMaskedText(caught);
	});
	return output.map(({ json, ...rest }) => {
		// The engine pairs each item with one of the input.
		const { item } = rest.pairedItem as { item: number };
		const isAsChosen = !('error' in json) && isChosen(item);
		return { json: isAsChosen ? json : masked(json, reveals), ...rest };
	});
}

function masked(json: IDataObject, reveals?: Revealed): IDataObject {
	const text = JSON.stringify(json, (key, value: unknown) => {
		if (reveals !== 'links' && SECRET_KEY.test(key)) return undefined;
		// The model may have to give an external ID back.
		if (typeof value !== 'string' || key === 'externalId') return value;
		const withoutLinks = reveals === 'links' ? value : withoutSecrets(value);
		return reveals === 'addresses' ? withoutLinks : withMaskedAddresses(withoutLinks);
	});
	// It is a copy.
	return JSON.parse(text) as IDataObject;
}

function maskedText(text: string): string {
	return withMaskedAddresses(withoutSecrets(text));
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
