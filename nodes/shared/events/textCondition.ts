import { z } from 'zod';

import { input, type Input } from '../n8n/input';
import { addFault, asSeen, filledText } from '../n8n/values';

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
		return test ?? addFault(context, `is not a regular expression: "${value}"`);
	});

/** A condition on a text, which ignores case, and what nobody sees. */
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
	const wanted = compared(value);
	switch (condition) {
		case 'contains':
			return (text) => compared(text).includes(wanted);
		case 'equals':
			return (text) => compared(text) === wanted;
		case 'startsWith':
			return (text) => compared(text).startsWith(wanted);
		case 'matches': {
			const expression = expressionOf(value.normalize('NFC'));
			return expression && ((text) => expression.test(text.normalize('NFC')));
		}
	}
}

/** A text as filters compare it. */
export function compared(text: string): string {
	return asSeen(text).toLowerCase();
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
