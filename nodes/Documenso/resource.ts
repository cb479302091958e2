import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Operation } from './operation';

export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
	/** The operation that is chosen first. */
	default: string;
}

/** Everything that the editor shows: both selectors and each operation's own fields. */
export function toProperties(resources: Resource[], chosen: string): INodeProperties[] {
	return [
		selector('Resource', 'resource', resources, chosen),
		...resources.flatMap((resource) =>
			updateDisplayOptions({ show: { resource: [resource.value] } }, [
				selector('Operation', 'operation', resource.operations, resource.default),
			]),
		),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) =>
				updateDisplayOptions(
					{ show: { resource: [resource.value], operation: [operation.value] } },
					operation.properties,
				),
			),
		),
	];
}

export function findOperation(resources: Resource[], resource: string, operation: string) {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}

function selector(
	displayName: string,
	name: string,
	choices: Array<INodePropertyOptions & Partial<Operation>>,
	chosen: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'options',
		noDataExpression: true,
		options: choices.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
		default: chosen,
	};
}
