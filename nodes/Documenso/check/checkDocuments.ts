import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { addHint } from '../../shared/n8n/hint';
import { flag, type Values } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';
import { duplicatesIn } from '../creation/creating';
import { lookUpKey, refusedId } from '../creation/newDocument';
import { options } from '../engine/commonInputs';
import { ADDED, rowWith } from '../engine/output';
import { counted, type Planned } from '../engine/planned';
import type { ItemOutput } from '../engine/work';
import { EXTERNAL_ID_MAX_LENGTH } from '../../shared/envelope/marker';
import { plainText } from '../inputs/givenValue';
import { givenBy } from '../inputs/mapper';
import { MOST_COLUMNS } from '../template/runColumns';
import { prepare, type UseInputs } from '../template/use';
import { lookAndCompare, refusedIds } from './look';
import { faultsIn } from './preview';
import { VERDICTS, type Checked, type CheckPlan, type Row, type Verdict } from './verdict';

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
		const { ifExternalIdExists: _, ...additionalFields } = given.additionalFields;
		const skip = { ...given, additionalFields, ifExternalIdExists: 'skip' } as const;
		const prepared = await prepare(skip, item).catch(async (refused: unknown) => {
			const { values } = givenBy(given.columns, item);
			const cells = [...Object.values(values), ...Object.values(item.json)];
			await noteIds([additionalFields.externalId, ...cells], item);
			throw refused;
		});
		if (prepared.document.externalId.source !== 'chosen') throw NO_ID;
		return { ...prepared, options: given.options };
	},
	compare: async (plans: Row[]) => await duplicatesIn(plans),
	look: lookAndCompare,
	describe: (
		item: Item,
		outcome: { next: Planned<Checked> } | { caught: unknown },
	): ItemOutput[] => {
		const row = (told: IDataObject) => rowWith({ [ADDED.check]: told }, item.execution, item.index);
		if ('caught' in outcome) {
			const faults = faultsIn(outcome.caught);
			return [row({ verdict: 'refused', advice: ADVICE.refused, faults })];
		}
		const { item: _, withoutRow = [], verdict, ...found } = outcome.next;
		const told = { verdict, advice: adviceFor(outcome.next), ...found } as unknown as IDataObject;
		return [
			row(told),
			...withoutRow.map((document) => ({
				json: { [ADDED.check]: { verdict: 'noRow', document, advice: ADVICE.noRow } },
			})),
		];
	},
	tell,
};

/** Any cell of a row that cannot be used may be its External ID: the document with that ID is not one without a row. */
async function noteIds(values: unknown[], item: Item) {
	const ids = await refusedIds(item);
	for (const one of values.slice(0, MOST_COLUMNS)) {
		const text = plainText(one) ?? '';
		if (text !== '' && text.length <= EXTERNAL_ID_MAX_LENGTH) ids.add(lookUpKey(text));
	}
}

const ADVICE: Record<Verdict, string> = {
	matches: '',
	missing:
		"No document has this External ID. Look for it in Documenso before you create one: it may have been completed and deleted, and Documenso does not list such documents. If there was none, run 'Template: Create Document' for this row.",
	draft:
		"It was not sent. Check it, and use 'Document: Send', or run 'Template: Create Document' for this row again.",
	different:
		"Correct the row, or run 'Template: Create Document' for it with 'If External ID Exists > Replace If Different'.",
	cannotCompare:
		'Look at these in Documenso. Nothing says that they are wrong: the template may have been edited since.',
	duplicate: "Find out which one counts, and cancel the other with 'Document: Cancel'.",
	stuck: '',
	ended: 'To send another one, give the row a new External ID.',
	noRow: 'Add its row, or cancel the document if nobody wants it.',
	refused: "Correct the row: 'faults' says what is wrong.",
};

function adviceFor({ verdict, document, differences, acted, stuck }: Checked): string {
	const { advice } = stuck ?? {};
	if (verdict === 'stuck' && typeof advice === 'string') return advice;
	if (verdict === 'draft' && differences.length > 0) return DIFFERENT_DRAFT;
	if (verdict !== 'different') return ADVICE[verdict];
	if (document?.status === 'COMPLETED') return COMPLETED;
	return acted ? `${acted}. ${ACTED}` : ADVICE.different;
}

const DIFFERENT_DRAFT =
	"It was not sent, and differs from the row. Do not send it like that: delete it in Documenso, and run 'Template: Create Document' for this row again.";
const COMPLETED =
	'Everybody has signed it, so it stays. Correct the row; for another contract, give it a new External ID.';
const ACTED =
	'Ask them whether the contract stands as it is. Then correct the row, or give it a new External ID for another contract.';

const NO_ID = refusedId(
	'is missing, so there is no document to compare the row with',
	"Fill in the column 'External ID', or 'Additional Fields > External ID'.",
);

function tell(context: IExecuteFunctions, output: INodeExecutionData[]) {
	const verdicts = output.map(
		({ json }) => (json[ADDED.check] as { verdict?: Verdict } | undefined)?.verdict,
	);
	const parts = counted(verdicts, VERDICTS).map(([words, count]) => `${count} ${words}`);
	if (parts.length === 0) return;
	const isNothing = verdicts.every((one) => one === 'missing');
	const isWell = verdicts.every((one) => one === 'matches');
	addHint(
		context,
		`Checked: ${parts.join(', ')}. Nothing was changed.${isNothing ? ` ${WRONG_PLACE}` : ''}`,
		isWell ? 'info' : 'warning',
	);
}

const WRONG_PLACE =
	"No row has a document: is it the right template, and the right team's API token?";
