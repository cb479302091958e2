import { required, textOf } from '../engine/input';
import { filledText, webUrl } from '../engine/values';

/** What an attachment consists of; the service calls its URL `data`. */
export const link = {
	label: textOf('Label', filledText(255), { placeholder: 'e.g. House rules' }),
	data: textOf('URL', webUrl, { placeholder: 'e.g. https://example.com/house-rules.pdf' }),
};

/** The same where it is an operation's subject. */
export const requiredLink = { label: required(link.label), data: required(link.data) };
