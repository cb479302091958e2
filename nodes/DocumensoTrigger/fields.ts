import type { INodeProperties } from 'n8n-workflow';

import { filters } from '../Documenso/events/filterFields';
import { ANY_EVENT, EVENTS } from '../Documenso/events/names';
import { includeSigningLinks } from '../Documenso/events/outputFields';
import { simple } from '../Documenso/engine/commonInputs';
import { collection, flag, input, propertiesOf } from '../Documenso/engine/input';
import { decimal } from '../Documenso/engine/values';

const registration: INodeProperties = {
	displayName: 'Registration',
	name: 'registration',
	type: 'options',
	options: [
		{
			name: 'Manual',
			value: 'manual',
			description: 'You paste the webhook URL into Documenso; deliveries carry a secret',
		},
		{
			name: 'Automatic',
			value: 'automatic',
			description: 'The node registers itself with the API token when the workflow is published',
		},
	],
	default: 'manual',
	description: 'How Documenso gets to know where to send events',
};

const manualNotice: INodeProperties = {
	displayName:
		"In Documenso, open <b>Team Settings > Webhooks</b>, create a webhook, and paste this node's <b>Production URL</b>: unfold <b>Webhook URLs</b> above. Choose the same events there, and enter the <b>Webhook Secret</b> of the credential as its secret.",
	name: 'setUpNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { registration: ['manual'] } },
};

const automaticNotice: INodeProperties = {
	displayName:
		"Uses an interface of Documenso's that is not documented, and that <b>Documenso may remove on 1 March 2027</b>: then set Registration to Manual. It needs the API token of a team's admin or manager, and Documenso has to reach n8n. Its deliveries carry no secret: the URL gets a key instead, and each document is looked up in Documenso before the workflow starts.",
	name: 'automaticNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { registration: ['automatic'] } },
};

const events: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: '* (All Events)',
			value: ANY_EVENT,
			description: 'Whatever Documenso reports, also events that are added later',
		},
		...EVENTS,
	],
	default: [],
};

const enrich: INodeProperties = {
	displayName: 'Add to Output',
	name: 'enrich',
	type: 'multiOptions',
	options: [
		{
			name: 'Audit Log',
			value: 'auditLog',
			description: "The PDF of a completed document's audit log, in the binary field 'auditLog'",
		},
		{
			name: 'Certificate',
			value: 'certificate',
			description:
				"The PDF of a completed document's certificate, in the binary field 'certificate'",
		},
		{
			name: 'Document Details',
			value: 'details',
			description: "Everything Documenso has on the document, under 'details'",
		},
		{
			name: 'Filled-In Values',
			value: 'values',
			description: "What people filled in, by the labels of the fields, under 'values'",
		},
		{
			name: 'Signed PDFs',
			value: 'signedFiles',
			description:
				"The signed files of a completed document, in the binary field 'data', and further ones in 'data_2' and so on",
		},
	],
	default: [],
	description:
		'What to fetch from Documenso before the workflow starts. Files are there for Document Completed. What does not come in time is left out, and named under <code>missing</code>.',
};

const options = collection(
	'Options',
	{
		acceptUnverified: flag('Accept Unverified Deliveries', false, {
			displayOptions: { show: { '/registration': ['manual'] } },
			description:
				'Whether to run without a webhook secret in the credential. Anyone who knows the URL can then start this workflow.',
		}),
		repetitionWindow: input(
			{
				displayName: 'Ignore Duplicates For (Minutes)',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 60,
				description:
					'How long a duplicate delivery starts nothing. Use 0 to let every delivery start the workflow. Documenso retries failed deliveries.',
			},
			decimal,
		),
		includeSigningLinks,
		fetchingTime: input(
			{
				displayName: 'Time for Fetching (Seconds)',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 8 },
				default: 6,
				description:
					'Max time to spend on fetching. Documenso gives up on a delivery after 10 seconds, and retries it.',
			},
			decimal,
		),
	},
	{ placeholder: 'Add option' },
);

export const fields = [
	registration,
	manualNotice,
	automaticNotice,
	events,
	filters,
	enrich,
	...propertiesOf({ simple, options }),
];
