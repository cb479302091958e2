import { resources } from '../../nodes/Documenso/resources';

/** All operations of the node. */
export const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		id: `${resource.value}.${operation.value}`,
		resource: resource.value,
		operation,
	})),
);
