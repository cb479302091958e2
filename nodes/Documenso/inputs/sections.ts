import { changes, collection } from '../../shared/n8n/collections';
import { hidden, type Added, type Input, type Inputs } from '../../shared/n8n/input';

/** What people look for together, in the order in which the editor shows it. */
const SECTIONS = {
	emailFields: {
		displayName: 'Emails',
		names: [
			...['distributionMethod', 'emailId', 'emailReplyTo', 'emailsOff', 'emailsOn'],
			...['language', 'message', 'reminderSettings', 'subject'],
		],
	},
	signingFields: {
		displayName: 'Signing',
		names: [
			...['allowDictateNextSigner', 'dateFormat', 'envelopeExpirationPeriod', 'globalAccessAuth'],
			...['globalActionAuth', 'redirectUrl', 'signatureTypes', 'signingOrder', 'timezone'],
		],
	},
	fileFields: {
		displayName: 'Files',
		names: ['allowMisplacedFields', 'attachments', 'formValues', 'replacedFiles'],
	},
};

type Section = keyof typeof SECTIONS;

/** The settings of something new. */
export function additional<I extends Inputs>(inputs: I) {
	const all = collection('Additional Fields', hiddenWhereMoved(inputs)) as Input<Added<I>>;
	const names = ['emailFields', 'signingFields', 'fileFields'] as const;
	return { additionalFields: all, ...sectionsOf(inputs, names, 'additionalFields', collection) };
}

/** The settings to change. */
export function updated<I extends Inputs>(inputs: I) {
	const all = changes('Update Fields', hiddenWhereMoved(inputs)) as Input<Added<I>>;
	const names = ['emailFields', 'signingFields'] as const;
	return { updateFields: all, ...sectionsOf(inputs, names, 'updateFields', changes) };
}

/** Workflows from before the sections have all settings in one collection, where they are still read. */
function hiddenWhereMoved(inputs: Inputs): Inputs {
	const moved = new Set(Object.values(SECTIONS).flatMap(({ names }) => names));
	const entries = Object.entries(inputs);
	return Object.fromEntries(entries.map(([key, one]) => [key, moved.has(key) ? hidden(one) : one]));
}

function sectionsOf<Name extends Section>(
	inputs: Inputs,
	sections: readonly Name[],
	partOf: string,
	collect: (displayName: string, inputs: Inputs) => Input<unknown>,
) {
	const entries = sections.map((section) => {
		const { displayName, names } = SECTIONS[section];
		const own = Object.entries(inputs).filter(([name]) => names.includes(name));
		return [section, { ...collect(displayName, Object.fromEntries(own)), partOf }] as const;
	});
	// The names are those of the sections.
	return Object.fromEntries(entries) as Record<Name, Input<unknown>>;
}
