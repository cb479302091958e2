import { z } from 'zod';

import { whole } from '../../shared/api/records';
import { post, postToRead } from '../../shared/api/request';
import { input, limiting, text } from '../../shared/n8n/input';
import { perItem } from '../engine/kinds';
import type { Resource } from '../engine/resource';
import { compact, wholeNumber } from '../../shared/n8n/values';
import { envelopeId, optional } from '../../shared/inputs/locators';

const MIN_MINUTES = 5;
const MAX_MINUTES = 10_080;

const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create an embed token',
	description: "Create a token that shows Documenso's editor in your own page",
	returns: '`token`, `expiresAt`, `expiresIn` (seconds)',
	reveals: 'links',
	effect: 'changes',
	inputs: {
		expiresIn: input(
			{
				displayName: 'Expires In (Minutes)',
				type: 'number',
				typeOptions: { minValue: MIN_MINUTES, maxValue: MAX_MINUTES },
				default: 60,
				description: 'Minutes until the token expires, from 5 to 10080 (a week)',
			},
			// A token must not live longer than it was meant to.
			wholeNumber(0)
				.refine(
					(minutes) => minutes >= MIN_MINUTES,
					`is below ${MIN_MINUTES} minutes; Documenso would use 60 minutes instead`,
				)
				.refine(
					(minutes) => minutes <= MAX_MINUTES,
					`is above ${MAX_MINUTES} minutes, which is a week`,
				),
		),
		envelopeId: optional(envelopeId, {
			description:
				'The only document or template that the token can edit. Leave empty for everything that the API token can edit.',
		}),
	},
	request: ({ expiresIn, envelopeId: id }) =>
		post('/embedding/create-presign-token', {
			expiresIn,
			...(id ? { scope: `envelopeId:${id}` } : {}),
		}),
	answer: whole(z.object({ token: z.string() })),
});

const verify = perItem({
	name: 'Verify',
	value: 'verify',
	action: 'Verify an embed token',
	description: 'Check whether an embed token is still valid',
	returns: '`success`',
	effect: 'reads',
	inputs: {
		token: text('Embed Token', {
			placeholder: 'e.g. eyJhbGciOi…',
			typeOptions: { password: true },
			required: true,
		}),
		scope: limiting(
			text('Scope', {
				placeholder: 'e.g. envelopeId:envelope_abcdefghijklmnop',
				description: 'The scope that the token must have. Leave empty to skip this check.',
			}),
		),
	},
	request: (values) => postToRead('/embedding/verify-presign-token', compact(values)),
});

export const embedToken: Resource = {
	name: 'Embed Token',
	value: 'embedToken',
	description: "A token that shows Documenso's editor in your own page",
	operations: [create, verify],
	default: 'create',
	defaultOfTool: 'verify',
};
