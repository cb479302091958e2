import { z } from 'zod';

import { choice, flag, multiChoice, positiveInteger, shownFor } from '../n8n/input';
import { FILLED_VALUES, SIGNED_FILES, SIGNING_LINKS } from './optionLists';

const PARTS = [FILLED_VALUES, SIGNED_FILES, SIGNING_LINKS];

export type Part = (typeof PARTS)[number]['value'];

export const waitingInputs = {
	limitWaitTime: flag('Limit Wait Time', true, {
		hint: 'The workflow goes on when the documents of all items are finished. For that, this n8n needs a published workflow with a Documenso Trigger or Documenso Polling Trigger and the same credential. The webhook of the trigger needs the events Document Completed, Document Rejected and Document Cancelled.',
		description:
			'Whether to stop waiting after some time. If documents are not finished by then, they get the outcome timeLimit, and the status that they had when the wait began.',
	}),
	...shownFor('limitWaitTime', [true], {
		resumeAmount: positiveInteger('Wait For', {
			default: 30,
			description: 'How long to wait at most',
		}),
		resumeUnit: choice<'minutes' | 'hours' | 'days'>(
			'Unit',
			[
				{ name: 'Minutes', value: 'minutes' },
				{ name: 'Hours', value: 'hours' },
				{ name: 'Days', value: 'days' },
			],
			{ default: 'days', description: 'The unit of Wait For' },
		),
	}),
	endOnExpiry: flag('End on Expiry', false, {
		description:
			'Whether to stop waiting for a document when a signing link expires unused. The webhook then needs the event Recipient Expired, too.',
	}),
	addToOutput: multiChoice(
		'Add to Output',
		PARTS,
		z.array(z.enum([FILLED_VALUES.value, SIGNED_FILES.value, SIGNING_LINKS.value])),
		{
			description:
				'What to return besides the document. Values and PDFs come when it is completed.',
		},
	),
};
