import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Operation } from './operation';

export interface Resource {
	name: string;
	value: string;
	/** Without one, n8n's assistant reads the first description that any resource has for the same operation. */
	description: string;
	/** In the order of use: the editor shows them like that, also in its list of actions. */
	operations: Operation[];
	/** The operation that a new node has. */
	default: string;
	/** The one that a new tool has: it reads. */
	defaultOfTool?: string;
}

/** Everything that the editor shows: both selectors and each operation's own fields. */
export function toProperties(resources: Resource[], chosen: string): INodeProperties[] {
	return [
		selector('Resource', 'resource', resources, chosen),
		...resources.flatMap((resource) =>
			onlyFor({ resource: [resource.value] }, operationSelectors(resource)),
		),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) =>
				onlyFor({ resource: [resource.value], operation: [operation.value] }, operation.properties),
			),
		),
	];
}

export function findOperation(resources: Resource[], resource: string, operation: string) {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}

/** Like n8n's `updateDisplayOptions`, without its deep merge, which took a tenth of the loading time. */
function onlyFor(show: IDisplayOptions['show'], properties: INodeProperties[]): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { ...property.displayOptions?.show, ...show },
		},
	}));
}

/** Before an agent has a tool's operation chosen, the tool must not email anybody. n8n has no other default for tools. */
function operationSelectors({ operations, default: chosen, defaultOfTool }: Resource) {
	const shown = selector('Operation', 'operation', operations, chosen);
	if (defaultOfTool === undefined) return [shown];
	return [
		{ ...shown, displayOptions: { hide: { '@tool': [true] } } },
		{ ...shown, displayOptions: { show: { '@tool': [true] } }, default: defaultOfTool },
	];
}

function selector(
	displayName: string,
	name: string,
	choices: INodePropertyOptions[],
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
