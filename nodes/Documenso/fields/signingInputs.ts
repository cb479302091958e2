import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { DATE_FORMATS } from './optionLists';

export const allowDictateNextSigner: INodeProperties = {
	displayName: 'Allow Dictating Next Signer',
	name: 'allowDictateNextSigner',
	type: 'boolean',
	default: false,
	description: 'Whether a signer may say who signs next',
};

export const dateFormat: INodeProperties = {
	displayName: 'Date Format',
	name: 'dateFormat',
	type: 'options',
	options: DATE_FORMATS.map((format) => ({ name: format, value: format })),
	default: 'yyyy-MM-dd hh:mm a',
	description: 'How dates of signing are written',
};

function unitsOf(units: string[]): INodePropertyOptions[] {
	return units.map((unit) => ({ name: `${unit}s`, value: unit.toLowerCase() }));
}

function period(displayName: string, name: string, units: string[], start: string) {
	const amount: INodeProperties = {
		displayName,
		name: `${name}Amount`,
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 3,
		description: '0 for never',
	};
	const unit: INodeProperties = {
		displayName: `${displayName}, Unit`,
		name: `${name}Unit`,
		type: 'options',
		options: unitsOf(units),
		default: start,
	};
	return [amount, unit];
}

export const expiration: INodeProperties = {
	displayName: 'Expiration',
	name: 'envelopeExpirationPeriod',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Set Expiration',
	description: 'When a signing link stops working, counted from the sending',
	options: [
		{
			displayName: 'Period',
			name: 'period',
			values: period('Expires After', 'expires', ['Day', 'Week', 'Month', 'Year'], 'month'),
		},
	],
};

export const redirectUrl: INodeProperties = {
	displayName: 'Redirect URL',
	name: 'redirectUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/thanks',
	description: 'Where a recipient is taken after signing',
};

export const reminders: INodeProperties = {
	displayName: 'Reminders',
	name: 'reminderSettings',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Set Reminders',
	description: 'When recipients who have not acted are reminded, at most five times in 30 days',
	options: [
		{
			displayName: 'Reminders',
			name: 'reminders',
			values: [
				...period('First After', 'sendAfter', ['Day', 'Week', 'Month'], 'day'),
				...period('Then Every', 'repeatEvery', ['Day', 'Week', 'Month'], 'day'),
			],
		},
	],
};

export const signatureTypes: INodeProperties = {
	displayName: 'Signature Types',
	name: 'signatureTypes',
	type: 'multiOptions',
	options: [
		{ name: 'Drawn', value: 'drawSignatureEnabled' },
		{ name: 'Typed', value: 'typedSignatureEnabled' },
		{ name: 'Uploaded', value: 'uploadSignatureEnabled' },
	],
	default: ['drawSignatureEnabled', 'typedSignatureEnabled', 'uploadSignatureEnabled'],
	description: 'The ways in which recipients may sign',
};

export const signingOrder: INodeProperties = {
	displayName: 'Signing Order',
	name: 'signingOrder',
	type: 'options',
	options: [
		{ name: 'All at Once', value: 'PARALLEL' },
		{ name: 'One After Another', value: 'SEQUENTIAL' },
	],
	default: 'PARALLEL',
	description: 'Whether all recipients sign at once, or in the order given to them',
};

export const timezone: INodeProperties = {
	displayName: 'Timezone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. Europe/Berlin',
	description: 'The time zone of dates of signing, by its IANA name',
};
