import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { envelopeSchema, type EnvelopeRecipient } from '../../../shared/api/envelope';
import {
	hasExpired,
	openRecipients,
	recipientsInTurn,
	serviceTime,
} from '../../../shared/api/lifecycle';
import { ApiFailure, foreignAnswerFailure } from '../../../shared/api/failure';
import { parse } from '../../../shared/api/records';
import { input, limiting, notice } from '../../../shared/n8n/input';
import type { Hints } from '../../../shared/n8n/hint';
import type { Item } from '../../../shared/n8n/item';
import { custom } from '../../engine/kinds';
import { Refusal } from '../../../shared/n8n/refusal';
import { numericId, picked, type Schema } from '../../../shared/n8n/values';
import { readNamed } from '../../../shared/envelope/named';
import { simplifyCreated } from '../../../shared/envelope/simplify';
import {
	signersWithoutSignature,
	signingOf,
	throwIfAny,
	unreachable,
} from '../../../shared/envelope/whoCanSign';
import { documentId } from '../../../shared/inputs/locators';
import { recipientsWithLinks, sentSchema } from '../../envelope/distribute';

/** IDs from a list, or from text with commas between them. */
const ids: Schema<number[]> = z.preprocess((value) => {
	const list: unknown[] = [typeof value === 'string' ? value.split(',') : (value ?? [])].flat();
	const named = list.filter((one) => typeof one !== 'string' || one.trim() !== '');
	// Commas without IDs would mean everybody.
	return named.length === 0 && list.length > 1 ? list : named;
}, z.array(numericId));

const resentSchema = envelopeSchema.pick({
	...{ id: true, title: true, status: true, recipients: true, documentMeta: true },
});
const withFields = envelopeSchema.pick({ id: true, recipients: true, fields: true });
const afterResending = envelopeSchema.pick({ recipients: true });

type Resent = z.infer<typeof resentSchema>;

export const resend = custom({
	name: 'Resend (Remind)',
	value: 'resend',
	action: 'Remind recipients of a document',
	description:
		'Email the signing link again to the recipients whose turn it is, or to some that you choose',
	returns: '`id`, `recipients`, `resentTo`, `notEmailed`',
	effect: 'adds',
	simplify: (resent, withLinks) => ({
		...simplifyCreated(resent, withLinks),
		...picked(resent, ['resentTo', 'notEmailed']),
	}),
	hasLinks: true,
	inputs: {
		emailNotice: notice('Execute step emails these people, too.'),
		documentId,
		recipientIds: limiting(
			input(
				{
					displayName: 'Recipient Names or IDs',
					type: 'multiOptions',
					typeOptions: {
						loadOptionsMethod: 'getDocumentRecipients',
						loadOptionsDependsOn: ['documentId.value'],
					},
					default: [],
					description:
						'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
					hint: 'Leave empty for those whose turn it is: they have not acted yet, and nobody has to act before them',
				},
				ids,
			),
		),
	},
	run: async ({ documentId: id, recipientIds }, item) => {
		// Each item may be one of the people who have not signed: those who share a document are emailed once.
		const chosen = [...new Set(recipientIds)].sort((a, b) => a - b);
		const key = `resend ${id} to ${chosen.join()}`;
		const { progress } = item.execution;
		const json = await item.client.once(key, async () => {
			// In an earlier try.
			const isDone = progress.all().some(([, one]) => 'kept' in one && one.kept === key);
			return await (isDone ? resentBefore : resendTo)(item, id, chosen);
		});
		progress.set(item.index, { state: 'begun', kept: key });
		return [{ json }];
	},
});

/** What an earlier try has returned for another item of the document. */
async function resentBefore({ client }: Item, id: string, recipientIds: number[]) {
	const document = await client.envelope(id, resentSchema);
	const { recipients } = document;
	const chosen =
		recipientIds.length > 0
			? recipients.filter((one) => recipientIds.includes(one.id))
			: recipientsInTurn(document);
	const withLinks = recipientsWithLinks(client, document);
	return { success: true, id, recipients: withLinks, ...whoIsReached(document, chosen) };
}

async function resendTo({ client, execution }: Item, id: string, recipientIds: number[]) {
	const record = await readNamed(client, 'documentId', id);
	const document = parse(resentSchema, record);
	const chosen = chosenIn(document, recipientIds);
	checkReachable(document, chosen, client.site);
	checkSignatures(record, chosen);
	const recipients = chosen.map((recipient) => recipient.id);
	const body = { envelopeId: id, recipients };
	const sent = await client.post('/envelope/redistribute', body, sentSchema);
	if (sent.id !== id) throw foreignAnswerFailure(`It names the document ${sent.id}.`);
	const reached = whoIsReached(document, chosen);
	for (const { email } of reached.resentTo) execution.emailed.add(email);
	const now = serviceTime(client);
	if (chosen.some((recipient) => hasExpired(recipient, now))) {
		const after = await client.envelope(id, afterResending).catch(() => undefined);
		if (!after) execution.hints.add(UNSEEN, `${document.title} (${id})`, 'warning');
		const isLate = (one: EnvelopeRecipient) => recipients.includes(one.id) && hasExpired(one, now);
		const late = after?.recipients.filter(isLate) ?? [];
		if (late.length > 0) throw notRenewed(id, late);
	}
	tell(execution.hints, document, reached);
	return { ...sent, ...reached };
}

function whoIsReached(document: Resent, chosen: EnvelopeRecipient[]) {
	return {
		resentTo: people(chosen.filter((one) => !obstacleFor(document, one))),
		notEmailed: people(chosen.filter((one) => obstacleFor(document, one))),
	};
}

/**
 * The service silently skips recipients who have acted, and IDs that it does not know
 * (documenso-api.md: Resending).
 */
function chosenIn(document: Resent, wanted: number[]): EnvelopeRecipient[] {
	const { id, status } = document;
	if (status !== 'PENDING') {
		throw new Refusal(
			`'Document' ${id} isn't pending (status: ${status.toLowerCase()}), so it cannot be sent again`,
			"Choose a document that was sent and is not finished. For a draft, use 'Document: Send'.",
		);
	}
	const open = openRecipients(document);
	const idle = wanted.find((one) => !open.some((recipient) => recipient.id === one));
	if (idle !== undefined) {
		const names = open.map((recipient) => `${nameOf(recipient)} (${recipient.id})`);
		throw new Refusal(
			`'Recipient Names or IDs' has recipient ${idle}, who has already acted in ${id}, has nothing to do there, or is not one of its recipients`,
			`Recipients who have not acted: ${names.join(', ') || 'nobody'}.`,
		);
	}
	if (open.length === 0) {
		throw new Refusal(
			`'Document' ${id} has no recipient left to act`,
			'Everyone has acted, or somebody has rejected it, so there is nothing to resend. Leave this document out.',
		);
	}
	if (wanted.length === 0) return recipientsInTurn(document);
	return open.filter((recipient) => wanted.includes(recipient.id));
}

/** Mail to a placeholder goes to nobody whom the sender knows. */
function checkReachable(document: Resent, chosen: EnvelopeRecipient[], site: string) {
	const parties = signingOf({ recipients: chosen, fields: [] }).parties.filter(
		({ email }) => email,
	);
	const obstacles = unreachable({ parties }, { isEmailed: true, site });
	throwIfAny(obstacles, 'Document', `${document.id} cannot be sent again:`);
}

/** One click would complete a document for a signer without a signature field. */
function checkSignatures(record: IDataObject, chosen: EnvelopeRecipient[]) {
	const { data: document } = withFields.safeParse(record);
	if (!document) return;
	const ids = new Set(chosen.map(({ id }) => id));
	const recipients = document.recipients.filter(({ id }) => ids.has(id));
	const obstacles = signersWithoutSignature(signingOf({ ...document, recipients }));
	throwIfAny(obstacles, 'Document', `${document.id} cannot be sent again:`);
}

/** Documenso renews a deadline only if links expire (documenso-api.md: Resending). */
function notRenewed(id: string, late: EnvelopeRecipient[]): ApiFailure {
	const since = late[0]?.expiresAt?.toISOString() ?? '';
	return new ApiFailure({
		message: `'Document' ${id} was sent again, but these recipients still cannot sign: ${namesOf(late)}. Their links expired on ${since}, and Documenso has not renewed them`,
		// The emails are sent, so that a retry must not send them again.
		outcome: 'failed',
		origin: '',
		advice:
			"Documenso renews links only while links expire at all. Set 'Expiration' with 'Document: Update', and use 'Document: Resend' again.",
		notes: [],
		details: { id, expired: people(late) },
	});
}

const UNSEEN =
	'These were sent again, but Documenso could not be asked whether it has renewed the links that had expired. Check it in Documenso.';

function people(recipients: EnvelopeRecipient[]) {
	return recipients.map(({ id, name, email }) => ({ id, name, email }));
}

/** Why a recipient gets no email, if that is so. Whether an organisation has turned off its emails cannot be seen. */
function obstacleFor(
	{ documentMeta }: Resent,
	{ email }: Pick<EnvelopeRecipient, 'email'>,
): string | undefined {
	if (documentMeta?.distributionMethod === 'NONE') return 'it is not sent by email';
	if (documentMeta?.emailSettings?.recipientSigningRequest === false) {
		return 'its emails for signing requests are turned off';
	}
	return email === '' ? 'there is no address' : undefined;
}

function tell(
	hints: Hints,
	document: Resent,
	{ resentTo, notEmailed }: ReturnType<typeof whoIsReached>,
) {
	const said = `${document.title} (${document.id})`;
	const inTurn = recipientsInTurn(document).map(({ id }) => id);
	const early = resentTo.filter(({ id }) => !inTurn.includes(id));
	if (early.length > 0) hints.add(NOT_IN_TURN, `${said}: ${namesOf(early)}`, 'warning');
	const [first] = notEmailed;
	if (!first) return;
	const obstacle = obstacleFor(document, first);
	hints.add(NO_EMAIL, `${said}, because ${obstacle}: ${namesOf(notEmailed)}`, 'warning');
}

const NOT_IN_TURN =
	'These recipients were reminded although it is not their turn: somebody else has to act before them.';

const NO_EMAIL =
	"Documenso emails nobody of these. A signing link that expires has a new deadline: get the links with 'Recipient: Get Signing Link', and pass them on yourself.";

function namesOf(recipients: Array<Pick<EnvelopeRecipient, 'name' | 'email'>>): string {
	return recipients.map(nameOf).join(', ');
}

function nameOf({ name, email }: Pick<EnvelopeRecipient, 'name' | 'email'>): string {
	return name || email || 'a recipient without a name';
}
