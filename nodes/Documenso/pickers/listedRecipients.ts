import type { ILoadOptionsFunctions, INodePropertyOptions, NodeParameterValue } from 'n8n-workflow';

import { describeRecipient } from '../envelope/recipients';

/** An expression comes as its value, if the editor could evaluate it, and else as null. */
type Row = Partial<Record<'email' | 'name' | 'role', NodeParameterValue>>;

/** The rows of the list Recipients of the same node. */
export async function getListedRecipients(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
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
