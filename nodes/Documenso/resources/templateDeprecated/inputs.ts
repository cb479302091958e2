import { notice, positiveInteger } from '../../engine/input';

export const deprecated = {
	deprecationNotice: notice(
		'Documenso removes this on <b>1 March 2027</b>. Use the resource <b>Template</b> instead: it does the same, and more.',
	),
};

export const ofTemplate = {
	...deprecated,
	templateNumber: positiveInteger('Template Number', {
		required: true,
		description: 'The number of the template in older versions of the API',
	}),
};
