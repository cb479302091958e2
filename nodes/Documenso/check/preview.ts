import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isNotFound } from '../../shared/api/failure';
import { nextTurn } from '../../shared/api/turns';
import { checked, duplicatesIn } from '../creation/creating';
import type { Existing } from '../creation/newDocument';
import { comparison } from '../creation/outdated';
import { actionFor, foresee, type Action, type Foreseen } from '../creation/preview';
import { warningsIn } from '../creation/remarks';
import { addHint } from '../../shared/n8n/hint';
import type { Item } from '../../shared/n8n/item';
import { ADDED, rowWith } from '../engine/output';
import type { ItemOutput } from '../engine/work';
import { counted, type Planned } from '../engine/planned';
import { Refusal } from '../../shared/n8n/refusal';
import { isBlank, type AtLeastOne } from '../../shared/n8n/values';
import { namedFields } from '../../shared/envelope/labels';
import { isLeftOut } from '../../shared/envelope/leftOut';
import { presetOf } from '../../shared/envelope/presets';
import { isPlaceholder } from '../../shared/envelope/whoCanSign';
import type { FieldValue } from '../../shared/envelope/filledValues';
import { inReadingOrder } from '../template/columns';
import { digestOf, withReplaced } from '../template/digest';
import { prepare, type Prepared, type UseInputs } from '../template/use';
import { withComparison } from './replacement';

interface Preview extends Prepared {
	digest: string;
	fields: ReturnType<typeof namedFields>;
}

/** What the operation does for items, as the kind `previewed` wants it. */
export const previewOfDocument = {
	plan: async (given: UseInputs, item: Item): Promise<Preview> => {
		const asked = await prepare(given, item);
		const prepared = { ...asked, document: checked(withComparison(asked, item)) };
		const { template } = prepared;
		const fields = await item.client.once(`fields of ${template.id}`, async () => {
			await nextTurn();
			return namedFields(inReadingOrder(template, template.fields), template);
		});
		return { ...prepared, fields, digest: await digestOf(item, prepared) };
	},
	compare: async (plans: Array<Planned<Preview>>) => await duplicatesIn(plans),
	look: async (plans: AtLeastOne<Planned<Preview>>) => await foresee(plans),
	describe: (
		item: Item,
		outcome: { next: Foreseen<Preview> } | { caught: unknown },
	): ItemOutput[] => {
		const preview =
			'caught' in outcome
				? { action: 'refuse', faults: faultsIn(outcome.caught) }
				: { ...foreseenFor(item, outcome.next), ...contentOf(outcome.next) };
		return [rowWith({ [ADDED.preview]: preview }, item.execution, item.index)];
	},
	tell,
};

const WORDS: Record<Action, string> = {
	send: 'send',
	createDraft: 'create drafts for',
	replace: 'replace the documents of',
	skip: 'skip',
	refuse: 'refuse',
};

function tell(context: IExecuteFunctions, output: INodeExecutionData[]) {
	const actions = output.map(
		({ json }) => (json[ADDED.preview] as { action?: Action } | undefined)?.action,
	);
	const parts = counted(actions, WORDS).map(([words, count]) => `${words} ${count}`);
	if (parts.length === 0) return;
	const type = actions.includes('refuse') ? 'warning' : 'info';
	addHint(
		context,
		`Nothing was created. Of these items, <i>Create Document</i> would ${parts.join(', ')}.`,
		type,
	);
}

/** What is wrong with an item. Throws what is no fault of its data. */
export function faultsIn(caught: unknown): IDataObject[] {
	const isOfItem = caught instanceof Refusal || isNotFound(caught);
	if (!isOfItem || !(caught instanceof Error)) throw caught;
	if (!(caught instanceof Refusal)) return [{ message: caught.message, advice: '' }];
	if (caught.faults.length === 0) return [{ message: caught.message, advice: caught.advice }];
	return caught.faults.map(({ column, fault, advice = '' }) => {
		return { column, message: `'${column}' ${fault}`, advice };
	});
}

function foreseenFor({ client }: Item, foreseen: Foreseen<Preview>): IDataObject {
	const { document, existing, replaces, sameAs } = foreseen;
	const shownOne = replaces ?? existing;
	const { remarks } = document;
	const shown = ({ id, title, status, recipients, team }: Existing) => ({
		...{ id, title, status, url: client.documentUrl({ id, team }) },
		recipients: recipients.filter((one) => !isLeftOut(one)).map(({ email }) => email),
	});
	return {
		action: actionFor(foreseen),
		faults: [],
		warnings: remarks ? warningsIn(remarks) : [],
		existing: shownOne ? shown(shownOne) : null,
		...(replaces ? { differences: comparison(document, replaces).differences } : {}),
		...(sameAs === undefined ? {} : { sameAsItem: sameAs }),
	};
}

function contentOf(preview: Foreseen<Preview>): IDataObject {
	const { template, filled, fields, replaces } = preview;
	const digest = replaces ? withReplaced(preview.digest, replaces) : preview.digest;
	const { content, externalId, title } = filled;
	const prefilled = byId(content.prefillFields);
	const usedRecipients = byId(content.recipients);
	const recipients = template.recipients.flatMap(({ id, ...kept }) => {
		const { email, name, role, signingOrder } = { ...kept, ...usedRecipients.get(id) };
		if (isLeftOut({ email })) return [];
		// Nobody is known yet for a placeholder.
		return { id, shown: { email: isPlaceholder(email) ? null : email, name, role, signingOrder } };
	});
	const owners = byId(recipients);
	return {
		title,
		externalId: externalId.source === 'own' ? null : externalId.value,
		recipients: recipients.map(({ shown }) => shown),
		leftOut: filled.leftOut?.map(({ name }) => name),
		fields: fields.flatMap(({ name, field }) => {
			const own = prefilled.get(field.id);
			const { shown } = owners.get(field.recipientId) ?? {};
			if (!shown) return [];
			const value = own ? asEntered(own.value) : presetOf(field);
			const filledBy = own ? 'you' : isBlank(value) ? 'recipient' : 'template';
			return {
				...{ name, type: field.type, recipient: shown.name || shown.email || null },
				...{ value: value ?? null, filledBy },
			};
		}),
		digest,
	};
}

function byId<One extends { id: number }>(records: One[]): Map<number, One> {
	return new Map(records.map((record) => [record.id, record]));
}

/** A day is sent with a time. */
function asEntered(value: FieldValue): FieldValue {
	return typeof value === 'string' ? value.replace(/^(\d{4}-\d{2}-\d{2})T00:00:00$/, '$1') : value;
}
