import { input } from '../engine/input';
import { filledText, webUrl } from '../engine/values';

/** What an attachment consists of; the service calls its URL `data`. */
export const link = {
	label: input(
		{
			displayName: 'Label',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. House rules',
		},
		filledText(255),
	),
	data: input(
		{
			displayName: 'URL',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/house-rules.pdf',
		},
		webUrl,
	),
};
