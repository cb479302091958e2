import type { Field, RecipientRole } from '../entities';
import { formatDate } from '../envelopes/dates';
import { fieldName } from '../signing/fieldValues';
import { itemsByOrder } from '../envelopes/items';
import type { Instance } from '../instance';
import { openFields } from '../signing/complete';
import { inSigningOrder, isRequired, unfinishedRecipients, type Signing } from '../signing/rules';
import { oneClickValue } from '../signing/suggestions';
import { isDrawn } from '../signing/values';
import { Html, html, page } from './html';

const VERBS: Record<RecipientRole, string> = {
	SIGNER: 'Sign',
	APPROVER: 'Approve',
	VIEWER: 'Mark as viewed',
	ASSISTANT: 'Complete',
	CC: 'Continue',
};

export function signingPage(instance: Instance, signing: Signing, path: string): string {
	const { envelope, recipient } = signing;
	const who = recipient.name || recipient.email || 'Recipient';
	const body = html`<header>
			<h1>${envelope.title}</h1>
			<div class="soft">
				For ${who} · ${recipient.role.toLowerCase()} · sent by ${envelope.user.name} ·
				<a href="${instance.baseUrl()}/#${envelope.id}">All documents</a>
			</div>
		</header>
		<main class="signing">
			<div class="stack">${fileViews(signing, path)}</div>
			<div class="stack">
				<form class="sheet" method="post" action="${path}">
					${note(envelope.documentMeta.message)}${inputs(signing, instance.now())}${nextInputs(signing)}
					<button name="action" value="sign">${VERBS[recipient.role]}</button>
				</form>
				<details class="sheet">
					<summary>Reject this document</summary>
					<form method="post" action="${path}">
						<label>Reason <textarea name="reason" rows="3" required></textarea></label>
						<button class="plain" name="action" value="reject">Reject</button>
					</form>
				</details>
			</div>
		</main>`;
	return page(`Sign ${envelope.title}`, body);
}

function note(message: string | null): Html {
	return message ? html`<p class="soft">${message}</p>` : html``;
}

function fileViews({ envelope }: Signing, path: string): Html[] {
	return itemsByOrder(envelope).map(({ id, title }) => {
		const source = `${path}/files/${id}`;
		return html`<div class="paper">
			<object
				data="${source}#toolbar=0&navpanes=0&view=FitH"
				type="application/pdf"
				aria-label="${title}"
			>
				<p class="soft"><a href="${source}">Open ${title}</a></p>
			</object>
		</div>`;
	});
}

function inputs(signing: Signing, now: Date): Html[] {
	const fields = openFields(signing);
	if (fields.length === 0) return [html`<p class="soft">There is nothing to fill in.</p>`];
	return fields.map((field) => input(signing, field, now));
}

/** Asks who signs next, where the document lets the signers decide. */
function nextInputs({ envelope, recipient }: Signing): Html {
	const { allowDictateNextSigner, signingOrder } = envelope.documentMeta;
	const next = inSigningOrder(unfinishedRecipients(envelope)).find((one) => one !== recipient);
	if (!allowDictateNextSigner || signingOrder === 'PARALLEL' || !next) return html``;
	return html`<label>Name of the next signer<input name="next-name" value="${next.name}" /></label>
		<label>Email of the next signer<input name="next-email" value="${next.email}" /></label>`;
}

function input({ envelope, recipient }: Signing, field: Field, now: Date): Html {
	const name = `field-${field.id}`;
	const owner = envelope.recipients.find(({ id }) => id === field.recipientId);
	const isOwn = owner === recipient;
	const whose = isOwn ? '' : ` · for ${owner?.name || owner?.email || 'another recipient'}`;
	const label = html`<span class="caption"
		><span>${fieldName(field)}</span
		><span class="soft small">page ${field.page}${whose}</span></span
	>`;
	const meta = field.fieldMeta;
	if (meta?.type === 'checkbox' || meta?.type === 'radio') {
		const options = (meta.values ?? []).map(
			({ value, checked }) =>
				html`<label class="choice"
					><input
						type="${meta.type}"
						name="choice-${field.id}"
						value="${value}"
						${checked ? 'checked' : ''}
					/>${value}</label
				>`,
		);
		return html`<fieldset>
			<legend>${label}</legend>
			${options}
		</fieldset>`;
	}
	if (meta?.type === 'dropdown') {
		const options = (meta.values ?? []).map(({ value }) => html`<option>${value}</option>`);
		return html`<label
			>${label}<select name="${name}">
				<option value=""></option>
				${options}
			</select></label
		>`;
	}
	const { documentMeta } = envelope;
	// What an assistant leaves empty, its signer fills in.
	if (!isOwn) return textInput(field, name, label, '', false);
	// Documenso fills in the date.
	if (field.type === 'DATE') {
		const today = formatDate(now, documentMeta.dateFormat, documentMeta.timezone);
		return html`<label>${label}<input value="${today}" readonly /></label>`;
	}
	const value = oneClickValue(field, recipient, documentMeta);
	return textInput(field, name, label, typeof value === 'string' ? value : '');
}

/** Texts and numbers start empty, so that nobody signs invented values. */
function textInput(
	field: Field,
	name: string,
	label: Html,
	value: string,
	isNeeded = isRequired(field),
): Html {
	const required = isNeeded ? 'required' : '';
	if (isDrawn(value)) {
		return html`<label
			>${label}<input type="hidden" name="${name}" value="${value}" />A stroke of the pen</label
		>`;
	}
	if (field.type.endsWith('SIGNATURE')) {
		return html`<label
			>${label}<input class="signature" name="${name}" value="${value}" required
		/></label>`;
	}
	const mode = field.type === 'NUMBER' ? 'decimal' : 'text';
	return html`<label
		>${label}<input
			name="${name}"
			value="${value}"
			placeholder="${field.fieldMeta?.placeholder}"
			inputmode="${mode}"
			${required}
	/></label>`;
}
