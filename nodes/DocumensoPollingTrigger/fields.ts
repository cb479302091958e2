import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { filters } from '../Documenso/events/filterFields';
import { EVENTS } from '../Documenso/events/names';
import { includeSigningLinks } from '../Documenso/events/outputFields';
import { simple } from '../Documenso/engine/commonInputs';
import { collection, propertiesOf } from '../Documenso/engine/input';
import { STEPS } from './steps';

const SENT: INodePropertyOptions = {
	name: 'Document Sent',
	value: 'DOCUMENT_SENT',
	description: 'Sent to its recipients for the first time',
};

const events: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: EVENTS.filter(({ value }) => STEPS.some((step) => step === value)).map((event) =>
		event.value === SENT.value ? SENT : event,
	),
	default: [],
};

export const fields = [
	events,
	filters,
	...propertiesOf({
		simple,
		options: collection('Options', { includeSigningLinks }, { placeholder: 'Add option' }),
	}),
];
