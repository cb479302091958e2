import type { ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';
import { z } from 'zod';

import { input, type Input } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';

/** Values by the names of their columns. */
export interface Given {
	/** Whether they are simply all columns of the item, some of which may be for something else. */
	isAutomatic: boolean;
	values: Record<string, unknown>;
	/** The template's columns when they were chosen in the editor. */
	columnsThen?: ResourceMapperField[];
}

type Mapped = Partial<ResourceMapperValue> | undefined;

/**
 * The columns of the template that is chosen in the input `chooser`. The mapper is read as a whole: n8n checks values
 * that are read one by one, and its message would name only one column of one item.
 */
export function mapper(chooser: string): Input<Mapped> {
	return input(
		{
			displayName: 'Columns',
			type: 'resourceMapper',
			noDataExpression: true,
			builderHint: {
				propertyHint:
					"An object: with { mappingMode: 'autoMapInputData', value: {} }, the node takes the input fields that are named like the template's recipients and fields; with { mappingMode: 'defineBelow', value: { 'Tenant email': … } }, you map them. The method getTemplateBlanks (loadOptions) lists the names.",
			},
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				loadOptionsDependsOn: [
					chooser,
					'additionalFields.allowPlaceholders',
					'additionalFields.mayBeLeftOut',
				],
				resourceMapper: {
					resourceMapperMethod: 'getTemplateColumns',
					valuesLabel: 'Recipients and Fields',
					fieldWords: { singular: 'column', plural: 'columns' },
					noFieldsError: 'The template has no recipients and no fields',
					mode: 'add',
					addAllFields: true,
					supportAutoMap: true,
					// Before a template is chosen there is nothing to load, which is no error.
					hideNoDataError: true,
				},
			},
		},
		z.custom<Mapped>((value) => value === undefined || typeof value === 'object', {
			message: 'is not an object with mappingMode and value',
		}),
	);
}

/** The values entered in a mapper, or with Map Automatically the item's own columns. */
export function givenBy(mapped: Mapped, { json }: Item): Given {
	const isAutomatic = mapped?.mappingMode === 'autoMapInputData';
	const values = (isAutomatic ? json : mapped?.value) ?? {};
	return { isAutomatic, values, columnsThen: mapped?.schema ?? undefined };
}
