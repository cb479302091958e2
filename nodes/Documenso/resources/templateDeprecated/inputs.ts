import { notice, textOf } from '../../engine/input';
import { numericId } from '../../engine/values';

export const deprecated = {
	deprecationNotice: notice(
		'Documenso removes this on <b>1 March 2027</b>. Use the resource <b>Template</b> instead: it does the same, and more.',
	),
};

export const ofTemplate = {
	...deprecated,
	// Text, because an input for numbers would have one as its default, and Delete would delete that template.
	templateNumber: textOf('Template Number', numericId, {
		required: true,
		placeholder: 'e.g. 7',
		description: 'The number of the template in older versions of the API',
	}),
};
