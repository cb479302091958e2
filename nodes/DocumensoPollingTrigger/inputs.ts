import type { INodePropertyOptions } from 'n8n-workflow';

import { simple } from '../Documenso/engine/commonInputs';
import { collection } from '../Documenso/engine/input';
import { filters } from '../events/filters';
import { eventsInput, includeSigningLinks } from '../events/inputs';
import { EVENTS } from '../events/names';
import { STEPS } from './steps';

const SENT: INodePropertyOptions = {
	name: 'Document Sent',
	value: 'DOCUMENT_SENT',
	description: 'Sent to its recipients for the first time',
};

export const inputs = {
	events: eventsInput(
		EVENTS.filter(({ value }) => STEPS.some((step) => step === value)).map((event) =>
			event.value === SENT.value ? SENT : event,
		),
	),
	filters,
	simple,
	options: collection('Options', { includeSigningLinks }, { placeholder: 'Add option' }),
};
