import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { addHint } from '../../shared/n8n/hint';
import { flag, type Values } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';
import { checked, duplicatesIn } from '../creation/creating';
import { lookUpKey } from '../creation/newDocument';
import { options } from '../engine/commonInputs';
import { counted, type Planned } from '../engine/planned';
import type { ItemOutput } from '../engine/work';
import { EXTERNAL_ID_MAX_LENGTH } from '../../shared/envelope/marker';
import { plainText } from '../template/givenValue';
import { faultsIn } from '../template/preview';
import { MOST_COLUMNS } from '../template/runColumns';
import { prepare, type UseInputs } from '../template/use';
import { lookAndCompare, refusedIds } from './look';
import type { Checked, CheckPlan, Verdict } from './verdict';

/** What 'Check Documents' adds to an item. */
export const CHECK = 'documensoCheck';

export const checkOptions = options({
	alsoWithoutRow: flag('Also Documents Without a Row', false, {
		description:
			'Whether to also return, behind the last row, each document made from the template whose External ID no row has',
	}),
	saySinceWhen: flag('Say Since When', false, {
		description:
			'Whether to read from the audit log since when a document differs, and who changed it. Takes one more request for each document that differs.',
	}),
});

type CheckInputs = Omit<UseInputs, 'ifExternalIdExists'> & Values<{ options: typeof checkOptions }>;

/** What the operation does for items, as the kind `previewed` wants it. */
export const checkOfDocuments = {
	plan: async (given: CheckInputs, item: Item): Promise<CheckPlan> => {
		const { saySinceWhen = false, alsoWithoutRow = false } = given.options;
		const { ifExternalIdExists: _, ...additionalFields } = given.additionalFields;
		const skip = { ...given, additionalFields, ifExternalIdExists: 'skip' } as const;
		const prepared = await prepare(skip, item).catch(async (refused: unknown) => {
			await noteIds([additionalFields.externalId, ...Object.values(item.json)], item);
			throw refused;
		});
		checked(prepared.document);
		return { prepared, isAskedSinceWhen: saySinceWhen, isAskedForOthers: alsoWithoutRow };
	},
	compare: async (plans: Array<Planned<CheckPlan>>) =>
		await duplicatesIn(plans.map(({ item, plan }) => ({ item, plan: plan.prepared.document }))),
	look: lookAndCompare,
	describe: (item: Item, outcome: { next: Checked } | { caught: unknown }): ItemOutput[] => {
		const { binary } = item.context.getInputData()[item.index] ?? {};
		const files = binary ? { binary } : {};
		if ('caught' in outcome) {
			const refused = {
				verdict: 'refused',
				advice: ADVICE.refused,
				faults: faultsIn(outcome.caught),
			};
			return [{ json: { ...item.json, [CHECK]: refused }, ...files }];
		}
		const { withoutRow = [], ...checkedRow } = outcome.next;
		const { verdict, ...found } = checkedRow;
		const told = { verdict, advice: adviceFor(checkedRow), ...found } as unknown as IDataObject;
		return [
			{ json: { ...item.json, [CHECK]: told }, ...files },
			...withoutRow.map((document) => ({
				json: { [CHECK]: { verdict: 'noRow', document, advice: ADVICE.noRow } },
			})),
		];
	},
	tell,
};

/** The document of a row that cannot be used has a row all the same: what of it may be its External ID. */
async function noteIds(values: unknown[], item: Item) {
	const ids = await refusedIds(item);
	for (const one of values.slice(0, MOST_COLUMNS)) {
		const text = plainText(one) ?? '';
		if (text.length <= EXTERNAL_ID_MAX_LENGTH) ids.add(lookUpKey(text));
	}
}

const ADVICE: Record<Verdict | 'refused', string> = {
	matches: '',
	missing:
		"No document has this External ID. Look for it in Documenso before you create one: it may have been completed and deleted, and Documenso does not list such documents. If there was none, run 'Template: Create Document' for this row.",
	draft:
		"It was not sent. Check it, and use 'Document: Send', or run 'Template: Create Document' for this row again.",
	different:
		"Correct the row, or change the document: while nobody has signed, with 'Recipient: Update' and 'Field: Update', or cancel it and create another.",
	cannotCompare:
		'Look at these in Documenso. Nothing says that they are wrong: the template may have been edited since.',
	duplicate: "Find out which one counts, and cancel the other with 'Document: Cancel'.",
	stuck: '',
	ended:
		"To send another one, give the row a new External ID, or use 'Create Anyway' under 'If External ID Exists'.",
	noRow: 'Add its row, or cancel the document if nobody wants it.',
	refused: "Correct the row: 'faults' says what is wrong.",
};

function adviceFor({ verdict, stuck }: Omit<Checked, 'withoutRow'>): string {
	const { advice } = stuck ?? {};
	return verdict === 'stuck' && typeof advice === 'string' ? advice : ADVICE[verdict];
}

const WORDS: Record<Verdict | 'refused', string> = {
	matches: 'matching',
	missing: 'without a document',
	draft: 'not sent',
	different: 'different',
	cannotCompare: 'not comparable in everything',
	duplicate: 'with several documents',
	stuck: 'stuck',
	ended: 'rejected or cancelled',
	refused: 'with a fault in the row',
	noRow: 'only in Documenso',
};

function tell(context: IExecuteFunctions, output: INodeExecutionData[]) {
	const verdicts = output.map(
		({ json }) => (json[CHECK] as { verdict?: Verdict } | undefined)?.verdict,
	);
	const parts = counted(verdicts, WORDS).map(([words, count]) => `${count} ${words}`);
	if (parts.length === 0) return;
	const isWell = verdicts.every((one) => one === 'matches');
	addHint(
		context,
		`Checked: ${parts.join(', ')}. Nothing was changed.`,
		isWell ? 'info' : 'warning',
	);
}
