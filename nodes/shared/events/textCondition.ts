import { z } from 'zod';

import { input, type Input } from '../n8n/input';
import { filledText } from '../n8n/values';

/** Whether a text meets a condition. */
type TextTest = (text: string) => boolean;

const CONDITIONS = [
	{ name: 'Contains', value: 'contains' },
	{ name: 'Is', value: 'equals' },
	{ name: 'Matches Regex', value: 'matches' },
	{ name: 'Starts With', value: 'startsWith' },
] as const;

type Condition = (typeof CONDITIONS)[number]['value'];

const schema = z
	.object({
		rule: z.object(
			{
				condition: z.custom<Condition>(
					(value) => CONDITIONS.some((one) => one.value === value),
					'has an unknown condition',
				),
				value: filledText(),
			},
			{ required_error: 'is empty' },
		),
	})
	.transform(({ rule: { condition, value } }, context): TextTest => {
		const test = testFor(condition, value);
		if (test) return test;
		context.addIssue({
			code: z.ZodIssueCode.custom,
			message: `is not a regular expression: "${value}"`,
		});
		return z.NEVER;
	});

/** A condition on a text, which ignores case. */
export function textCondition(displayName: string, placeholder: string): Input<TextTest> {
	return input(
		{
			displayName,
			type: 'fixedCollection',
			placeholder: 'Add Condition',
			default: {},
			options: [
				{
					displayName: 'Condition',
					name: 'rule',
					values: [
						{
							displayName: 'Condition',
							name: 'condition',
							type: 'options',
							options: [...CONDITIONS],
							default: 'equals',
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							placeholder,
							description:
								'Ignores case. A regular expression ignores it only with the flag i, as in /^crm-/i. A pattern such as (a+)+$ can stop n8n with a title that a stranger chooses: where it is enough, use Contains.',
						},
					],
				},
			],
		},
		schema,
	);
}

function testFor(condition: Condition, value: string): TextTest | undefined {
	const wanted = value.toLowerCase();
	switch (condition) {
		case 'contains':
			return (text) => text.toLowerCase().includes(wanted);
		case 'equals':
			return (text) => text.toLowerCase() === wanted;
		case 'startsWith':
			return (text) => text.toLowerCase().startsWith(wanted);
		case 'matches': {
			const expression = expressionOf(value);
			return expression && ((text) => expression.test(text));
		}
	}
}

/** `^CRM-\d+` or `/^crm-\d+/i`. The flags `g` and `y` are dropped: with them a test starts where the last match ended. */
function expressionOf(text: string): RegExp | undefined {
	const [, pattern = text, flags = ''] = /^\/(.+)\/([gimsuvy]*)$/.exec(text) ?? [];
	try {
		return new RegExp(pattern, flags.replace(/[gy]/g, ''));
	} catch {
		return undefined;
	}
}
