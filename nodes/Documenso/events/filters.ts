import { z } from 'zod';

import { Refusal } from '../engine/refusal';
import { numericId } from '../engine/values';
import { filterFields } from './filterFields';
import { actors, isAboutTemplate, type DocumensoEvent, type Subject } from './subject';

const filled = z.preprocess(
	(value) => (typeof value === 'number' ? String(value) : value),
	z
		.string({ required_error: 'is empty', invalid_type_error: 'is not text' })
		.trim()
		.min(1, 'is empty'),
);

const textSchema = z
	.object({
		rule: z.object(
			{
				condition: z.enum(['contains', 'equals', 'matches', 'startsWith']),
				value: filled,
			},
			{ required_error: 'is empty' },
		),
	})
	.transform(({ rule: { condition, value } }, context) => {
		const test = testFor(condition, value);
		if (test) return test;
		context.addIssue({
			code: z.ZodIssueCode.custom,
			message: `"${value}" is not a regular expression`,
		});
		return z.NEVER;
	});

/** What a resource locator holds: the template's number, which people may write as `template_7`. */
const templateSchema = z
	.object({ value: z.unknown() })
	.transform(({ value }) =>
		typeof value === 'string' ? value.trim().replace(/^template_/, '') : value,
	)
	.pipe(numericId);

const filtersSchema = z
	.object({
		externalId: textSchema,
		lastRecipientOnly: z.boolean(),
		recipientEmail: filled,
		source: z.array(z.string()).min(1, 'is empty'),
		template: templateSchema,
		title: textSchema,
	})
	.partial();

export type Filters = z.infer<typeof filtersSchema>;

/** Reads what the user entered. Throws a Refusal that names the filter. */
export function readFilters(value: unknown): Filters {
	const result = filtersSchema.safeParse(value ?? {});
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const name = issue?.path[0];
	const filter = filterFields.find((field) => field.name === name)?.displayName;
	throw new Refusal(
		`The filter '${filter ?? String(name)}' cannot be used: ${issue?.message ?? ''}`,
		'Fill the filter in, or remove it.',
	);
}

/** Whether an event is one that the filters let through. */
export function passes({ name, subject }: DocumensoEvent, filters: Filters): boolean {
	const { externalId, lastRecipientOnly, recipientEmail, source, template, title } = filters;
	const { recipients } = subject;
	const number = isAboutTemplate(name) ? subject.id : subject.templateId;
	return (
		(template === undefined || template === number) &&
		(title?.(subject.title) ?? true) &&
		(externalId?.(subject.externalId ?? '') ?? true) &&
		(recipientEmail === undefined ||
			recipients.some(({ email }) => isSame(email.trim(), recipientEmail))) &&
		(source?.includes(subject.source ?? '') ?? true) &&
		(lastRecipientOnly !== true || isNobodyLeft(subject))
	);
}

/** Nobody can act any more after a rejection; and nobody had to when all got copies (contract §1.10). */
function isNobodyLeft({ status, recipients }: Subject): boolean {
	const all = actors(recipients).map(({ signingStatus }) => signingStatus);
	if (all.length === 0) return status === 'COMPLETED';
	return all.includes('REJECTED') || all.every((one) => one === 'SIGNED');
}

function testFor(condition: string, value: string): ((text: string) => boolean) | undefined {
	const wanted = value.toLowerCase();
	switch (condition) {
		case 'contains':
			return (text) => text.toLowerCase().includes(wanted);
		case 'startsWith':
			return (text) => text.toLowerCase().startsWith(wanted);
		case 'matches': {
			const expression = expressionOf(value);
			return expression && ((text) => expression.test(text));
		}
		default:
			return (text) => isSame(text, value);
	}
}

function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}

/** `^CRM-\d+` or `/^crm-\d+/i`. With `g`, which people add by habit, it would go on where it found something. */
function expressionOf(text: string): RegExp | undefined {
	const [, pattern = text, flags = ''] = /^\/(.+)\/([gimsuvy]*)$/.exec(text) ?? [];
	try {
		return new RegExp(pattern, flags.replace(/[gy]/g, ''));
	} catch {
		return undefined;
	}
}
