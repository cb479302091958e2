import type { ILoadOptionsFunctions, INodePropertyOptions, NodeParameterValue } from 'n8n-workflow';

import { describeRecipient } from '../envelope/recipients';

/** An expression arrives as its value, or as null if the editor cannot evaluate it. */
type Row = Partial<Record<'email' | 'name' | 'role', NodeParameterValue>>;

/** The rows that were entered under Recipients in the same node. */
export async function getListedRecipients(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	// n8n does not know the type of a parameter.
	const list = this.getCurrentNodeParameter('recipients') as { recipient?: Row[] } | null;
	return (list?.recipient ?? []).map(({ email, name, role }, index) => ({
		name: describeRecipient({ email: shown(email), name: shown(name) }, index),
		value: `r${index + 1}`,
		description: shown(role).toLowerCase(),
	}));
}

function shown(value: NodeParameterValue): string {
	return String(value ?? '').replace(/^=/, '');
}
