import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { input } from '../../shared/n8n/input';
import { wholeNumber } from '../../shared/n8n/values';

/** A length of time: two inputs, which the editor shows in one group. */
const period = (
	displayName: string,
	name: string,
	units: string[],
	unit: string,
): INodeProperties[] => [
	{
		displayName,
		name: `${name}Amount`,
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 3,
		description: 'Use 0 for never',
	},
	{
		displayName: `${displayName}, Unit`,
		name: `${name}Unit`,
		type: 'options',
		options: units.map((one) => ({ name: `${one}s`, value: one.toLowerCase() })),
		default: unit,
	},
];

const periodOf = (amount: number, unit: string) =>
	amount === 0 ? { disabled: true } : { amount, unit };

const amount = wholeNumber(0);

export const expiration = input(
	{
		displayName: 'Expiration',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Set Expiration',
		description:
			'When signing links expire, counted from when the document is sent. In a document that was sent, a change counts only after Document: Resend.',
		options: [
			{
				displayName: 'Period',
				name: 'period',
				values: period('Expires After', 'expires', ['Day', 'Week', 'Month', 'Year'], 'month'),
			},
		],
	},
	z
		.object({ period: z.object({ expiresAmount: amount, expiresUnit: z.string() }).optional() })
		.transform(({ period: given }) => given && periodOf(given.expiresAmount, given.expiresUnit)),
);

export const reminders = input(
	{
		displayName: 'Reminders',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Set Reminders',
		description: 'When to remind recipients who have not acted yet, at most five times in 30 days',
		options: [
			{
				displayName: 'Reminders',
				name: 'reminders',
				values: [
					...period('First After', 'sendAfter', ['Day', 'Week', 'Month'], 'day'),
					...period('Then Every', 'repeatEvery', ['Day', 'Week', 'Month'], 'day'),
				],
			},
		],
	},
	z
		.object({
			reminders: z
				.object({
					sendAfterAmount: amount,
					sendAfterUnit: z.string(),
					repeatEveryAmount: amount,
					repeatEveryUnit: z.string(),
				})
				.optional(),
		})
		.transform(
			({ reminders: given }) =>
				given && {
					sendAfter: periodOf(given.sendAfterAmount, given.sendAfterUnit),
					repeatEvery: periodOf(given.repeatEveryAmount, given.repeatEveryUnit),
				},
		),
);
