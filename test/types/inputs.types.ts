/** Nothing here runs: `npm run typecheck` fails where a type is another one than is said here. */
import { z } from 'zod';

import { getFrom } from '../../nodes/shared/api/request';
import { atLeastOne, changes, collection, rows } from '../../nodes/shared/n8n/collections';
import {
	choice,
	flag,
	input,
	json,
	required,
	shownFor,
	text,
	type Input,
	type Values,
} from '../../nodes/shared/n8n/input';
import { batched, custom, list, perItem } from '../../nodes/Documenso/engine/kinds';
import { planned, type Planned } from '../../nodes/Documenso/engine/planned';
import { wholeNumber } from '../../nodes/shared/n8n/values';
import { deletionOf, duplicationOf } from '../../nodes/Documenso/envelope/change';
import { listOf, readById } from '../../nodes/shared/envelope/read';
import { documentFilters } from '../../nodes/shared/inputs/filters';
import { documentId } from '../../nodes/shared/inputs/locators';
import { recipientsWithFields } from '../../nodes/Documenso/inputs/recipients';

type Told<A> = <T>(value: T) => T extends A ? 1 : 2;
type Same<A, B> = Told<A> extends Told<B> ? true : false;
/** Only of the very same types; `any` is like no other. */
type Is<Check extends true> = Check;

const count = input({ displayName: 'Count', type: 'number', default: 1 }, wholeNumber(1));
const mode = choice('Mode', [{ name: 'A', value: 'a' }], { default: 'a' });
const row = { displayName: 'Row', name: 'row' };
const inputs = {
	documentId,
	title: text('Title'),
	send: flag('Send', true),
	count,
	mode,
	meta: json('Meta', z.record(z.number())),
	...shownFor('mode', ['a'], { reason: text('Reason') }),
	fields: collection('Fields', { subject: text('Subject'), count }),
	updates: atLeastOne(changes('Updates', { subject: text('Subject') })),
	lines: rows('Lines', row, { name: required(text('Name')), count }),
	pairs: rows('Pairs', row, { name: text('Name') }, {}, (schema) =>
		schema.transform(({ name }) => [name, name.length] as const),
	),
};
type Given = Values<typeof inputs>;

export type ValuesAreInferred = [
	Is<Same<Given['documentId'], string>>,
	Is<Same<Given['title'], string>>,
	Is<Same<Given['send'], boolean>>,
	Is<Same<Given['count'], number>>,
	Is<Same<Given['mode'], 'a'>>,
	Is<Same<Given['meta'], Record<string, number>>>,
	Is<Same<Given['lines'], Array<{ name: string; count: number }>>>,
	Is<Same<Given['pairs'], Array<readonly [string, number]>>>,
];

export type WhatMayBeMissingIsOptional = [
	Is<Same<Given['reason'], string | undefined>>,
	Is<Same<Given['fields'], { subject?: string; count?: number }>>,
	Is<Same<Given['updates'], { subject?: string }>>,
];

type Recipients = Values<typeof recipientsWithFields>;
type Filters = Values<{ filters: typeof documentFilters }>['filters'];

/** The same of inputs that operations share. */
export type SharedInputsAreInferred = [
	Is<Same<NonNullable<Recipients['recipients']>[number]['email'], string>>,
	Is<Same<NonNullable<Recipients['recipients']>[number]['signingOrder'], number | undefined>>,
	Is<Same<NonNullable<Recipients['fields']>[number]['field']['page'], number>>,
	Is<undefined extends Recipients['recipients'] ? true : false>,
	Is<undefined extends Recipients['recipientsJson'] ? true : false>,
	Is<Same<Recipients['placeholdersInPdf'], boolean>>,
	Is<Same<Filters['orderByDirection'], 'asc' | 'desc' | undefined>>,
	Is<Same<Filters['template'], number | undefined>>,
];

const described = { name: '', value: '', action: '', description: '', returns: '' };
const effect = 'reads';
const common = { ...described, effect, inputs } as const;

export const operations = [
	perItem({ ...common, request: ({ documentId: id, title }) => getFrom(id, { title }) }),
	// @ts-expect-error: no input has this name
	perItem({ ...common, request: ({ documentID }) => getFrom(String(documentID)) }),
	perItem({
		...common,
		request: ({ documentId: id }) => getFrom(id),
		// @ts-expect-error: no input has this name
		items: (answer, { titel }) => [answer, { titel: String(titel) }],
	}),
	// @ts-expect-error: no input has this name
	custom({ ...common, run: async ({ documentID }) => await Promise.resolve(documentID as []) }),
	custom({
		...common,
		run: async ({ fields, lines, reason }) => {
			const misread: unknown[] = [
				// @ts-expect-error: no input in the collection has this name
				fields.subjekt,
				// @ts-expect-error: no input of a row has this name
				lines[0]?.nam,
				// @ts-expect-error: it may not have been added
				fields.subject.length,
				// @ts-expect-error: it may be hidden
				reason.length,
			];
			return await Promise.resolve(misread as []);
		},
	}),
	list({
		...common,
		// @ts-expect-error: no input has this name
		records: async ({ documentID }) => await Promise.resolve(documentID as []),
	}),
	batched({
		...common,
		// @ts-expect-error: no input has this name
		key: ({ documentID }) => String(documentID),
		single: async (key, { title }) => await Promise.resolve({ key, title }),
		many: (keys) => getFrom('/', { keys }),
		keysOf: () => [],
	}),
	planned({
		...common,
		// @ts-expect-error: no input has this name
		plan: async ({ documentID }) => await Promise.resolve({ plan: String(documentID) }),
		look: async (next: Array<Planned<{ plan: string }>>) =>
			await Promise.resolve({ next, failed: [] }),
		perform: async ({ plan }) => await Promise.resolve([{ json: { plan } }]),
	}),
	// @ts-expect-error: the shared code needs an input that is not declared
	perItem({ ...described, inputs: { templateId: documentId }, ...duplicationOf('documentId') }),
	// @ts-expect-error: the same of an operation that deletes
	custom({ ...described, inputs: { templateId: documentId }, ...deletionOf('documentId') }),
	// @ts-expect-error: the same of one that reads by ID
	batched({ ...described, inputs: { templateId: documentId }, ...readById('documentId') }),
	// @ts-expect-error: the same of one that lists
	list({ ...described, inputs: { filters: documentFilters }, ...listOf('DOCUMENT') }),
	// @ts-expect-error: an effect is one of three
	custom({ ...common, effect: 'writes', run: async () => await Promise.resolve([]) }),
];

// @ts-expect-error: its schema reads another type
export const otherType: Input<string> = count;

export const choices = [
	choice('Mode', [{ name: 'A', value: 'a' }], { default: 'a' }),
	// @ts-expect-error: the default is none of the options
	choice('Mode', [{ name: 'A', value: 'a' }], { default: 'b' }),
];
