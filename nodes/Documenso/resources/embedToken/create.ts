import { envelopeId as idOf } from '../../envelope/read';
import { envelopeId } from '../../fields/locators';
import { perItem } from '../../operation';
import { integerFrom } from '../../schemas/values';
import { json } from '../../transport/body';

const MIN_MINUTES = 5;
const MAX_MINUTES = 10_080;

/** A token that lives longer than it was meant to is no small matter. */
const expiresIn = integerFrom(0)
	.refine(
		(minutes) => minutes >= MIN_MINUTES,
		`is below ${MIN_MINUTES} minutes, which Documenso turns into 60`,
	)
	.refine((minutes) => minutes <= MAX_MINUTES, `is above ${MAX_MINUTES} minutes, which is a week`);

export const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create an embed token',
	description: "Make a token with which Documenso's editor can be shown in a page of your own",
	endpoint: 'POST /embedding/create-presign-token',
	returns: '`token`, `expiresAt`, `expiresIn` (seconds)',
	properties: [
		{
			displayName: 'Expires In',
			name: 'expiresIn',
			type: 'number',
			typeOptions: { minValue: MIN_MINUTES, maxValue: MAX_MINUTES },
			default: 60,
			description: 'Minutes, from 5 to 10080 (a week). Documenso would turn less than 5 into 60.',
		},
		{
			...envelopeId,
			required: false,
			description: 'What the token is for. Leave empty for all that the API token may edit.',
		},
	],
	request: (params) => ({
		method: 'POST',
		path: '/embedding/create-presign-token',
		body: json({
			expiresIn: params.value('expiresIn', expiresIn),
			...(params.string('envelopeId') ? { scope: `envelopeId:${idOf(params, 'envelopeId')}` } : {}),
		}),
	}),
});
