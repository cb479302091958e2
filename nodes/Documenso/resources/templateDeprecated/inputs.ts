import { input, notice } from '../../engine/input';
import { numericId } from '../../engine/values';

const deprecationNotice = notice(
	'Documenso removes this on <b>1 March 2027</b>. Use the resource <b>Template</b> instead: it does the same, and more.',
);

export const deprecated = { deprecationNotice };

export const ofTemplate = {
	deprecationNotice,
	templateNumber: input(
		{
			displayName: 'Template Number',
			type: 'number',
			typeOptions: { minValue: 1 },
			required: true,
			default: 1,
			description: 'The number of the template, as older versions of the API know it',
		},
		numericId,
	),
};
