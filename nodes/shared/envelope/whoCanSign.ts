import type { IDataObject } from 'n8n-workflow';

import { isSignature, type Envelope, type FieldMeta } from '../api/envelope';
import { isOnOwnNetwork } from '../api/baseUrl';
import { acts, hasToAct } from '../api/lifecycle';
import { Refusal } from '../n8n/refusal';
import { groupedBy } from '../n8n/values';
import { isLeftOut } from './leftOut';
import { hasPreset } from './presets';
import { unfillable, type Unfillable } from './unfillable';

/** A recipient of a document, with the fields that are theirs. */
export interface Party {
	/** None before the document exists. */
	id?: number;
	name: string;
	email: string;
	role: string;
	signingOrder?: number | null;
	/** None before the document exists. */
	signingStatus?: string;
	sendStatus?: string;
	fields: PartyField[];
}

/** A field, as far as it decides whether a document can be finished. */
export interface PartyField {
	/** None before the document exists. */
	id?: number;
	type: string;
	/** The same for all fields in one PDF. */
	envelopeItemId: string;
	/** NOWHERE until Documenso has found its place. */
	page: number;
	positionX: number;
	positionY: number;
	width: number;
	height: number;
	fieldMeta?: FieldMeta | null;
	inserted?: boolean;
}

export const NOWHERE = 0;

/** When a document's recipients are asked. */
export interface Emailing {
	isSequential: boolean;
	/** Whether a signer may name somebody else as the next one. */
	isDictated: boolean;
	/** Whether Documenso emails the links. One that is passed on by hand needs no address. */
	isEmailed: boolean;
	/** Whether it also emails whoever has to act, which can be turned off. */
	isInvited: boolean;
}

export interface Signing extends Emailing {
	parties: Party[];
	/** Whether the signing page fills in what is read only, as it does in documents of version 1. */
	isFilledOnPage?: boolean;
}

/** Why a document could not be finished as it is meant; `problem` continues "Ada (ada@example.com) …". */
export interface Obstacle {
	kind:
		| 'noSignature'
		| 'idleField'
		| 'lockedField'
		| 'unfillable'
		| 'hiddenField'
		| 'idleAssistant'
		| 'sharedTurn'
		| 'noAddress'
		| 'sharedAddress';
	party: Party;
	field?: PartyField;
	problem: string;
	advice: string;
}

/** Refuses an input because of them; `said` is what stands between the input and the person. */
export function throwIfAny(obstacles: Obstacle[], column: string, said: string) {
	const faults = obstacles.map(({ party, problem, advice }) => ({
		column,
		fault: `${said} ${whoIs(party) || 'somebody without a name'} ${problem}`,
		advice,
	}));
	if (faults.length > 0) throw Refusal.of(faults);
}

/** Everything that keeps a document from being signed to its end, or lets it end without a signature. */
export function whoCanSign(signing: Signing): Obstacle[] {
	return [
		...signersWithoutSignature(signing),
		...idleFields(signing),
		...lockedFields(signing),
		...unfillableFields(signing),
		...hiddenFields(signing),
		...idleAssistants(signing),
	];
}

/** The same of a document that is sent, in which everyone must be reached, one after another. */
export function obstaclesTo(signing: Signing, delivery: Delivery): Obstacle[] {
	return [...whoCanSign(signing), ...unreachable(signing, delivery), ...sharedTurns(signing)];
}

/** The signing of a stored document or template. */
export function signingOf(
	envelope: Pick<Envelope, 'recipients' | 'fields'> &
		Partial<Pick<Envelope, 'documentMeta' | 'internalVersion'>>,
): Signing {
	const { recipients, fields, internalVersion } = envelope;
	const byOwner = groupedBy(fields, ({ recipientId }) => recipientId);
	return {
		parties: recipients.map((one) => ({ ...one, fields: byOwner.get(one.id) ?? [] })),
		...emailingOf(envelope.documentMeta),
		isFilledOnPage: internalVersion === 1,
	};
}

/** By a document's settings, as they are stored or sent. */
export function emailingOf(meta?: IDataObject | Envelope['documentMeta']): Emailing {
	const { signingOrder, distributionMethod } = meta ?? {};
	const emails = meta?.emailSettings as { recipientSigningRequest?: boolean } | null | undefined;
	const isSequential = signingOrder === 'SEQUENTIAL';
	return {
		isSequential,
		isDictated: isSequential && meta?.allowDictateNextSigner === true,
		isEmailed: distributionMethod !== 'NONE',
		isInvited: distributionMethod !== 'NONE' && emails?.recipientSigningRequest !== false,
	};
}

/** Documenso does not send such a document; but it can become one after it was sent. */
export function signersWithoutSignature({ parties }: Signing): Obstacle[] {
	return parties
		.filter(({ role, fields }) => role === 'SIGNER' && !fields.some(isSignature))
		.map((party) => ({
			kind: 'noSignature',
			party,
			problem: 'is a signer without a signature field',
			advice: "Add a field of type Signature for them with 'Field: Add'.",
		}));
}

/** The fields of these parties that are like this, each with its party. */
function fieldsOf(parties: Party[], isMeant: (field: PartyField) => unknown) {
	return parties.flatMap((party) =>
		party.fields.filter(isMeant).map((field) => ({ party, field })),
	);
}

/** Documenso waits for ever for a required field of somebody who never acts (documenso-api.md: Sealing). */
function idleFields({ parties }: Signing): Obstacle[] {
	const idle = parties.filter((party) => !acts(party));
	return fieldsOf(idle, isRequired).map(({ party, field }) => ({
		kind: 'idleField',
		party,
		field,
		problem: `only gets a copy, but has a required field: ${describeField(field)}`,
		advice: `Remove the field${OPTIONAL_TYPES.includes(field.type) ? ', turn off its Required,' : ''} or give it to somebody who signs: nobody could fill it in, and the document would never be completed.`,
	}));
}

function lockedFields({ parties, isFilledOnPage }: Signing): Obstacle[] {
	const isBlankForEver = (field: PartyField) =>
		isLocked(field) && !(isFilledOnPage && FILLED_ON_PAGE.includes(field.type));
	return fieldsOf(parties.filter(acts), isBlankForEver).map(({ party, field }) => ({
		kind: 'lockedField',
		party,
		field,
		problem: `has a field that is required, read only and empty: ${describeField(field)}`,
		advice: `${OPTIONAL_TYPES.includes(field.type) ? 'Give the field a value, or turn' : 'Turn'} off its Read Only: nobody could fill it in, and the document would never be completed.`,
	}));
}

/** As people call them. */
const SETTINGS: Record<Unfillable['key'], string> = {
	values: 'list of choices',
	defaultValue: 'default',
	numberFormat: 'number format',
	maxValue: 'maximum',
	validationLength: 'rule number',
};

function unfillableFields({ parties }: Signing): Obstacle[] {
	// What Documenso itself fills in needs nobody.
	const needsSomebody = (field: PartyField) =>
		field.fieldMeta?.required === true && !field.inserted && !hasPreset(field);
	return fieldsOf(parties.filter(acts), needsSomebody).flatMap(({ party, field }) => {
		const wrong = unfillable(field.type, field.fieldMeta ?? undefined);
		if (!wrong) return [];
		const { key, fault, advice } = wrong;
		return {
			kind: 'unfillable',
			party,
			field,
			problem: `has a required field that nobody could fill in: ${describeField(field)}. Its ${SETTINGS[key]} ${fault}`,
			advice: `${advice} Or turn off its Required: the document would never be completed.`,
		};
	});
}

/** Besides what has a value, addresses and dates. */
const FILLED_ON_PAGE = ['INITIALS', 'NAME'];

/** Documenso fills in what is read only when it sends somebody the document, and not again. */
export function filledTooLate({ parties, isFilledOnPage }: Signing): Obstacle[] {
	if (isFilledOnPage) return [];
	const isTooLate = (field: PartyField) =>
		field.fieldMeta?.readOnly && hasPreset(field) && field.inserted === false;
	const sent = parties.filter((party) => isOpen(party) && party.sendStatus === 'SENT');
	return fieldsOf(sent, isTooLate).map(({ party, field }) => ({
		kind: 'lockedField',
		party,
		field,
		problem: `has the document already, and nobody would fill in a field that is read only: ${describeField(field)}`,
		advice: 'Turn off Read Only, so that they can confirm the value.',
	}));
}

/** Whether a field must be filled in, and cannot be. Documenso itself fills in others. */
export function isLocked(field: Pick<PartyField, 'type' | 'fieldMeta'>): boolean {
	return Boolean(
		field.fieldMeta?.readOnly && field.type !== 'DATE' && isRequired(field) && !hasPreset(field),
	);
}

/** What can be optional; everything else is required (documenso-api.md: Sealing). */
const OPTIONAL_TYPES = ['CHECKBOX', 'DROPDOWN', 'NUMBER', 'RADIO', 'TEXT'];

function isRequired({ type, fieldMeta }: Pick<PartyField, 'type' | 'fieldMeta'>): boolean {
	return !OPTIONAL_TYPES.includes(type) || fieldMeta?.required === true;
}

/** Of two fields on one spot, only the upper one can be reached. The editor puts every new field on the same spot. */
function hiddenFields({ parties }: Signing): Obstacle[] {
	const pages = new Map<string, Array<{ party: Party; field: PartyField }>>();
	const obstacles: Obstacle[] = [];
	let compared = 0;
	for (const party of parties) {
		for (const field of party.fields.filter(({ fieldMeta }) => !fieldMeta?.readOnly)) {
			const page = `${field.envelopeItemId} ${field.page}`;
			const before = pages.get(page) ?? [];
			pages.set(page, before);
			// n8n has to go on answering.
			compared += before.length;
			if (compared > MOST_COMPARED) return obstacles;
			const hidden = before.find((other) => hides(other.field, field));
			before.push({ party, field });
			if (!hidden) continue;
			const owner = hidden.party === party ? 'their own' : `that of ${whoIs(hidden.party)}`;
			obstacles.push({
				kind: 'hiddenField',
				...{ party, field },
				problem: `has a field on one spot with ${owner}: ${describeField(field)}, at ${field.positionX} % from the left and ${field.positionY} % from the top`,
				advice: 'Move one of the two: one hides the other.',
			});
		}
	}
	return obstacles;
}

/** A thousand fields on one page are more than anybody places. */
const MOST_COMPARED = 500_000;

/** Whether two fields share a corner, or one covers the centre of the other, as it does if it covers more than half of it. */
function hides(one: PartyField, other: PartyField): boolean {
	if (one.positionX === other.positionX && one.positionY === other.positionY) return true;
	// From centre to centre, twice.
	const x = Math.abs(2 * one.positionX + one.width - 2 * other.positionX - other.width);
	const y = Math.abs(2 * one.positionY + one.height - 2 * other.positionY - other.height);
	return (x < one.width && y < one.height) || (x < other.width && y < other.height);
}

/** Assistants fill in the fields of those who come after them, and only where there is an order. */
function idleAssistants({ parties, isSequential: hasOrder }: Signing): Obstacle[] {
	// Whoever has acted neither assists any more nor can be assisted.
	const open = parties.filter(isOpen);
	const isAfter = (one: Party, other: Party) =>
		orderOf(one) > orderOf(other) && one.role !== 'ASSISTANT';
	return open
		.filter(({ role }) => role === 'ASSISTANT')
		.filter((party) => !hasOrder || !open.some((other) => isAfter(other, party)))
		.map((party) => ({
			kind: 'idleAssistant',
			party,
			problem:
				hasOrder || parties.filter(acts).length === 1
					? 'is an assistant, but nobody signs after them'
					: 'is an assistant, but everyone signs at once',
			advice:
				'Assistants fill in fields for those who sign after them: give everybody a signing order, with the assistant before somebody who signs, or leave the assistant out.',
		}));
}

/** Before the document exists, nobody has acted. */
function isOpen(party: Party): boolean {
	return hasToAct({ signingStatus: 'NOT_SIGNED', ...party });
}

function orderOf({ signingOrder }: Party): number {
	return signingOrder ?? Infinity;
}

/** The addresses of people who are not known yet (documenso-api.md: Placeholders in PDFs; Direct links). */
const PLACEHOLDER_EMAIL = /^(recipient\.\d+|direct\.link)@documenso\.com$|^$/i;

export function isPlaceholder(email: string): boolean {
	return PLACEHOLDER_EMAIL.test(email) || isLeftOut({ email });
}

/** How a document gets to its recipients. */
export interface Delivery extends Pick<Emailing, 'isEmailed'> {
	/** Where people open Documenso. */
	site: string;
}

/**
 * Of those who share a turn, Documenso emails one, and lets that one complete only after the others (documenso-api.md:
 * Signing order). Links that are passed on by hand reach all of them.
 */
export function sharedTurns({ parties, isSequential, isEmailed }: Signing): Obstacle[] {
	if (!isSequential || !isEmailed) return [];
	const first = new Map<number, Party>();
	return parties.filter(isOpen).flatMap((party) => {
		const order = orderOf(party);
		const other = first.get(order);
		if (!other) first.set(order, party);
		if (!other) return [];
		const turn =
			order === Infinity
				? 'no signing order, and neither has'
				: `the signing order ${order}, and so has`;
		return {
			kind: 'sharedTurn',
			party,
			problem: `has ${turn} ${whoIs(other) || 'somebody without a name'}`,
			advice:
				'Give everyone who acts a different signing order, or let everyone sign at once. Otherwise Documenso emails only one of those with the same order, and that one can finish only after the others.',
		};
	});
}

/** Recipients that no email would reach. */
export function unreachable({ parties }: Pick<Signing, 'parties'>, delivery: Delivery): Obstacle[] {
	return parties.flatMap((party) => {
		const found = addressProblem(party.email, delivery);
		return found ? { kind: 'noAddress' as const, party, ...found } : [];
	});
}

/** What is wrong with an address that has the form of one; `problem` continues "Ada …". */
export function addressProblem(email: string, { isEmailed, site }: Delivery) {
	if (email === '' && !isEmailed) return undefined;
	if (isPlaceholder(email)) {
		return {
			problem: email === '' ? 'has no email address' : `has the address of a placeholder: ${email}`,
			advice:
				"Enter the address of a person. In a document that exists, use 'Recipient: Update', or 'Recipient: Delete'.",
		};
	}
	const hasDot = email.includes('.', email.lastIndexOf('@'));
	if (hasDot || isOnOwnNetwork(site)) return undefined;
	return {
		problem: `has an address without a dot in its domain: ${email}`,
		advice: 'Correct the address: mail to it would not arrive.',
	};
}

/** Few mailboxes have such addresses. */
export function hasOddDots(email: string): boolean {
	return /^\.|\.\.|\.@/.test(email);
}

export const ODD_DOTS =
	'These addresses have a dot at an end, or two together. Few mailboxes have such an address.';

/** Fields from text in a PDF go to the first recipient with an address (documenso-api.md: Placeholders in PDFs). */
export function sharedAddresses({ parties }: Signing): Obstacle[] {
	return parties.flatMap((party, index) => {
		const isSame = ({ email }: Party) => email.toLowerCase() === party.email.toLowerCase();
		if (party.email === '' || !parties.slice(0, index).some(isSame)) return [];
		return {
			kind: 'sharedAddress' as const,
			party,
			problem: `has the same address as another recipient: ${party.email}`,
			advice:
				"Documenso would give the fields of both from the PDF's placeholders to the first one. Give each an address of their own, or put their fields under 'Fields' and turn off 'PDF Contains Placeholders'.",
		};
	});
}

/** A person as in "Ada Miller (ada@example.com)". */
export function whoIs({ name, email }: Pick<Party, 'name' | 'email'>): string {
	return name && email ? `${name} (${email})` : name || email;
}

function describeField({ type, page }: PartyField): string {
	const name = type.toLowerCase();
	return page === NOWHERE ? name : `${name} on page ${page}`;
}
