import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../shared/api/client';
import { envelopeSchema } from '../../shared/api/envelope';
import { isNotFound, mayHaveEffect } from '../../shared/api/failure';
import { post } from '../../shared/api/request';
import { flag, shownFor, type Values } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';
import { Refusal } from '../../shared/n8n/refusal';
import { changesTo } from '../engine/oneAtATime';
import type { GivenSettings } from '../inputs/settings';
import { EXTERNAL_ID_MAX_LENGTH, withMarkersOf } from '../../shared/envelope/marker';
import { readNamed, readNamedOnce, type Named } from '../../shared/envelope/named';
import { keepTold } from './emailed';
import { judgeSettings } from './sentDocument';
import { metaOf, sortSettings, type Settings } from './settings';
import { simplifyEnvelope } from '../../shared/envelope/simplify';

/** What both Delete operations share. The kind is checked first, because a deletion is final. */
export function deletionOf<Input extends Named>(input: Input) {
	return {
		returns: '`id`, `deleted`',
		effect: 'changes' as const,
		run: async ({ [input]: id }: Record<Input, string>, { client, execution }: Item) => {
			// Several items may be of one document.
			await client.once(`deletion of ${id}`, async () => {
				const before = await readNamed(client, input, id);
				await client.post('/envelope/delete', { envelopeId: id }).catch(async (error: unknown) => {
					if (!mayHaveEffect(error) || !(await isDeleted(client, id))) throw error;
				});
				keepTold(execution, before);
			});
			return [{ json: { id, deleted: true } }];
		},
	};
}

/** Whether a deletion has taken effect. A finished document can still be read, with the date of its deletion. */
async function isDeleted(client: Client, id: string): Promise<boolean> {
	try {
		const { deletedAt } = await client.envelope(id);
		return Boolean(deletedAt);
	} catch (error) {
		return isNotFound(error);
	}
}

export const copyInputs = {
	includeRecipients: flag('Copy Recipients', true, {
		description: 'Whether to copy the recipients, too',
	}),
	// The service copies fields only with their recipients.
	...shownFor('includeRecipients', [true], {
		includeFields: flag('Copy Fields', true, {
			description: 'Whether to copy the fields of the recipients, too',
		}),
	}),
};

/** What both Duplicate operations share. */
export function duplicationOf<Input extends Named>(input: Input) {
	return {
		returns: '`id` of the copy',
		effect: 'adds' as const,
		request: async (
			values: Record<Input, string> & Values<typeof copyInputs>,
			{ client, execution }: Item,
		) => {
			const { [input]: envelopeId, includeRecipients, includeFields = false } = values;
			const record = await readNamedOnce(client, input, envelopeId);
			const dates = includeFields ? givenDates(record) : [];
			if (dates.length > 0)
				execution.hints.add(LOST_DATES, `${envelopeId}: ${dates.join(', ')}`, 'warning');
			return post('/envelope/duplicate', { envelopeId, includeRecipients, includeFields });
		},
	};
}

const LOST_DATES =
	'Documenso does not copy dates that were filled in. In the copies, these will be the day of signing.';

const withFields = envelopeSchema.pick({ fields: true });

/** Dates without a label are days of signing. */
function givenDates(record: IDataObject): string[] {
	const { data } = withFields.safeParse(record);
	return (data?.fields ?? []).flatMap(({ type, fieldMeta, customText }) =>
		type === 'DATE' && customText && fieldMeta?.label ? [fieldMeta.label] : [],
	);
}

/** What both Update operations share. */
export function updateOf<Input extends Named>(input: Input) {
	return {
		effect: 'changes' as const,
		simplify: simplifyEnvelope,
		line: ({ [input]: id }: Record<Input, string>) => changesTo(id),
		request: async (
			values: Record<Input, string> & { updateFields: GivenSettings },
			item: Item,
		) => {
			const id = values[input];
			const settings = changedSettings(values.updateFields);
			const envelope = await readNamed(item.client, input, id);
			const data = withMarkersKept(settings.data, envelope);
			const meta = metaOf(settings, envelope);
			judgeSettings(item, id, envelope, meta);
			return post('/envelope/update', { envelopeId: id, data, meta });
		},
	};
}

/** Executions that wait for the document have written markers behind its external ID. */
function withMarkersKept(data: Settings['data'], envelope: IDataObject): Settings['data'] {
	if (data.externalId === undefined) return data;
	const before = envelope.externalId as string | null;
	const externalId = withMarkersOf(before, data.externalId as string | null);
	const excess = (externalId?.length ?? 0) - EXTERNAL_ID_MAX_LENGTH;
	if (excess <= 0) return { ...data, externalId };
	const fault = `is too long by ${excess}, because executions wait for this document and have added some`;
	throw Refusal.about('External ID', fault, 'Use a shorter one.');
}

/** The settings of an update. Refuses one that would change nothing. */
export function changedSettings(updateFields: GivenSettings): Settings {
	const settings = sortSettings(updateFields);
	const { data, meta, emails } = settings;
	if (Object.keys({ ...data, ...meta, ...emails }).length > 0) return settings;
	throw new Refusal("'Update Fields' is empty", 'Add at least one field to change.');
}
