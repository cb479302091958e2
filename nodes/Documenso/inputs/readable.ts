import type { Fault } from '../../shared/n8n/refusal';
import { addFault, type Schema } from '../../shared/n8n/values';

/** What spreadsheets write where a formula fails, in their languages. "#4B" is the number of a flat. */
const FAILED_FORMULA =
	/^(#[\p{Lu}\p{Lo}\d¡¿/._]+[!?]|#(GETTING_DATA|DATEN_ABRUFEN|N\/[ABDV]|I\/T|Н\/Д|Δ\/Υ|NV|YOK|HIÁNYZIK|NEDOSTUPNÝ)|Err:\d{3}|Loading\.\.\.)$/u;
/** What programs write for nothing. */
const NOTHING = /^(undefined|Invalid Date|\[object \w+\])$/;
/** Characters; with blanks around it. */
const LONGEST_FAILURE = 50;

/** Why a text is not what somebody wrote, such as an error of a spreadsheet. It would be in the contract. */
export function unreadableIn(value: string): Omit<Fault, 'column'> | undefined {
	const short = value.length > LONGEST_FAILURE ? '' : value.trim();
	if (FAILED_FORMULA.test(short)) {
		return {
			fault: `is ${short}: a formula in the sheet has failed`,
			advice: 'Correct the formula in the sheet.',
		};
	}
	if (/^#{3,}$/.test(short)) {
		return {
			fault: `is ${short}, which spreadsheets show where a column is too narrow`,
			advice: 'Widen the column in the sheet before you save it as text.',
		};
	}
	if (NOTHING.test(short)) {
		return {
			fault: `is "${short}", which a program writes when it has no value`,
			advice: 'Correct the step that makes the value.',
		};
	}
	if (/\{\{[^{}]*\$/.test(value)) {
		return {
			fault: 'has an expression in it that was not evaluated',
			advice: 'Switch the input that makes it from Fixed to Expression.',
		};
	}
	if (value.includes('\uFFFD')) {
		return {
			fault: 'has a character that was lost when the file was read: \uFFFD',
			advice:
				"Read the file with its own encoding: in Extract From File, under 'Options > Encoding'.",
		};
	}
	return undefined;
}

/** A text that people will read. */
export function readable(schema: Schema<string>): Schema<string> {
	return schema.superRefine((value, context) => {
		const found = unreadableIn(value);
		if (found) addFault(context, found.fault, found.advice);
	});
}
