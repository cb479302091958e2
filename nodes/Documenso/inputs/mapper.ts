import type { ResourceMapperTypeOptions, ResourceMapperValue } from 'n8n-workflow';
import { z } from 'zod';

import { input, type Input } from '../engine/input';
import type { Item } from '../engine/item';
import type { Given } from '../template/columnMatch';

type Mapped = Partial<ResourceMapperValue> | undefined;

/**
 * Shows what the template chosen in the input `chooser` has. It is read as a whole, because n8n checks a mapper's
 * values only when they are read alone: its message would name one column of one item.
 */
export function mapper(
	displayName: string,
	chooser: string,
	options: Pick<ResourceMapperTypeOptions, 'valuesLabel' | 'fieldWords' | 'noFieldsError'> & {
		resourceMapperMethod: string;
	},
): Input<Mapped> {
	return input(
		{
			displayName,
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				loadOptionsDependsOn: [chooser, 'additionalFields.allowPlaceholders'],
				resourceMapper: {
					mode: 'add',
					addAllFields: true,
					supportAutoMap: true,
					// Without a template there is nothing to load yet, which is no failure.
					hideNoDataError: true,
					...options,
				},
			},
		},
		z.custom<Mapped>((value) => value === undefined || typeof value === 'object'),
	);
}

/** What a mapper gives: the values entered in it, or with Map Automatically the item's own columns. */
export function givenBy(mapped: Mapped, { json }: Item): Given {
	const isAutomatic = mapped?.mappingMode === 'autoMapInputData';
	return { isAutomatic, values: (isAutomatic ? json : mapped?.value) ?? {} };
}
