import { envelopeId as idOf } from '../../envelope/read';
import { envelopeId } from '../../fields/locators';
import { perItem } from '../../operation';
import { wholeNumber } from '../../engine/values';
import { json } from '../../api/body';

const MAX_MINUTES = 10_080;

const expiresIn = wholeNumber(0).refine(
	(minutes) => minutes <= MAX_MINUTES,
	`is above ${MAX_MINUTES} minutes, which is a week`,
);

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
			typeOptions: { minValue: 0, maxValue: MAX_MINUTES },
			default: 60,
			description: 'Minutes; Documenso makes 60 of less than 5',
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
