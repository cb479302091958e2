import type { Envelope, Recipient } from '../entities';
import { signingUrl, type Instance } from '../instance';
import { recipientsInTurn, unfinishedRecipients } from '../signing/rules';
import { Html, html, page } from './html';

/** For recipients who cannot act, and for addresses that don't exist. */
export function noticePage(
	instance: Instance,
	heading: string,
	message: string,
	details = html``,
	envelope?: Envelope,
): string {
	const list = `${instance.baseUrl()}/${envelope ? `#${envelope.id}` : ''}`;
	return page(
		heading,
		html`<main class="middle">
			<div class="sheet">
				<h1>${heading}</h1>
				<p class="soft">${message}</p>
				${details}
				<p><a href="${list}">All documents</a></p>
			</div>
		</main>`,
	);
}

/** After signing or rejecting: what happens next. */
export function donePage(
	instance: Instance,
	envelope: Envelope,
	action: 'sign' | 'reject',
): string {
	const { title, documentMeta } = envelope;
	const { redirectUrl } = documentMeta;
	const continueLink = redirectUrl ? html`<p><a href="${redirectUrl}">Continue</a></p>` : html``;
	if (action === 'reject') {
		const message = `${title} ends here: nobody else can sign it. The sender gets your reason.`;
		return noticePage(instance, 'You have rejected this document', message, continueLink, envelope);
	}
	const missing = unfinishedRecipients(envelope);
	if (missing.length === 0) {
		const message = `Everyone has signed ${title}. The signed PDF is in the list of documents.`;
		return noticePage(instance, 'Thank you', message, continueLink, envelope);
	}
	const details = html`<p>Still waiting for:</p>
		<ul>
			${missing.map((recipient) => missingRow(instance, envelope, recipient))}
		</ul>
		${continueLink}`;
	return noticePage(instance, 'Thank you', `Your part of ${title} is done.`, details, envelope);
}

/** The link is here because no emails are sent. */
function missingRow(instance: Instance, envelope: Envelope, recipient: Recipient): Html {
	const { name, email, role, token } = recipient;
	const who = html`${name || email} <span class="soft">(${role.toLowerCase()})</span>`;
	if (!recipientsInTurn(envelope).includes(recipient)) return html`<li>${who}, later</li>`;
	return html`<li>${who}: <a href="${signingUrl(instance, token)}">Signing page</a></li>`;
}
