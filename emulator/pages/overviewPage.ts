import type { Envelope, Recipient } from '../entities';
import { itemsByOrder } from '../envelopes/items';
import { DEMO_TEAM } from '../options';
import { signingUrl, type Instance } from '../instance';
import { unfinishedRecipients } from '../signing/rules';
import type { Delivery } from '../webhooks/delivery';
import { Html, html, page } from './html';

const REFRESH = new Html(`<script>
setInterval(async () => {
	const answer = await fetch(location.href).catch(() => undefined);
	if (!answer || !answer.ok) return;
	const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
	const main = document.querySelector('main');
	if (next && main.innerHTML !== next.innerHTML) main.innerHTML = next.innerHTML;
}, 2000);
</script>`);

export function overviewPage(instance: Instance, deliveries: readonly Delivery[]): string {
	const { documents, templates } = instance.store;
	const base = instance.baseUrl();
	const body = html`<header>
			<h1>Local Documenso</h1>
			<div class="soft">
				The API is at <code>${base}/api/v2</code>. No emails are sent: open the signing pages from
				here. · <a href="${base}/t/${DEMO_TEAM.url}/settings/webhooks">Webhooks</a>
			</div>
		</header>
		<main>
			<h2>Documents</h2>
			${
				documents.length === 0
					? empty('No documents yet.')
					: html`<div class="stack">
							${documents.map((document) => documentCard(instance, document)).reverse()}
						</div>`
			}
			<h2>Templates</h2>
			${
				templates.length === 0
					? empty('No templates yet.')
					: html`<div class="stack">
							${templates.map((template) => templateCard(base, template))}
						</div>`
			}
			<h2>Webhook deliveries</h2>
			${deliveries.length === 0 ? empty('No deliveries yet.') : deliveryTable(deliveries)}
		</main>`;
	return page('Local Documenso', body, REFRESH);
}

function empty(text: string): Html {
	return html`<div class="sheet soft">${text}</div>`;
}

function documentCard(instance: Instance, envelope: Envelope): Html {
	const deleted = envelope.deletedAt ? html` <span class="badge">deleted</span>` : undefined;
	return html`<section class="sheet" id="${envelope.id}">
		<div class="row">
			<span>${envelope.title}</span>
			<span class="badge ${envelope.status}">${envelope.status}</span>${deleted}
			<code class="soft">${envelope.id}</code>
			${envelope.externalId ? html`<span class="soft small">${envelope.externalId}</span>` : undefined}
		</div>
		<ul class="people">
			${envelope.recipients.map((recipient) => recipientRow(instance, envelope, recipient))}
		</ul>
		${fileLinks(instance.baseUrl(), envelope, true)}
	</section>`;
}

function recipientRow(instance: Instance, envelope: Envelope, recipient: Recipient): Html {
	const canAct =
		envelope.status === 'PENDING' && unfinishedRecipients(envelope).includes(recipient);
	const link = html`<a href="${signingUrl(instance, recipient.token)}">Signing page</a>`;
	return html`<li class="row small">
		<span>${recipient.name || recipient.email}</span>
		<span class="soft">${recipient.email} · ${recipient.role}</span>
		<span class="badge ${recipient.signingStatus}"
			>${recipient.signingStatus.toLowerCase().replace('_', ' ')}</span
		>
		${canAct ? link : undefined}
	</li>`;
}

function templateCard(base: string, envelope: Envelope): Html {
	const people = envelope.recipients.map(({ id, name, role }) => `${name} (${role}, ID ${id})`);
	return html`<section class="sheet" id="${envelope.id}">
		<div class="row">
			<span>${envelope.title}</span>
			<code class="soft">${envelope.id}</code>
			<span class="soft small">${people.join(', ')}</span>
		</div>
		${fileLinks(base, envelope, false)}
	</section>`;
}

function fileLinks(base: string, envelope: Envelope, hasSigned: boolean): Html {
	const { status } = envelope;
	const isSealed = hasSigned && (status === 'COMPLETED' || status === 'REJECTED');
	const links = itemsByOrder(envelope).map(({ id, title }) => {
		const url = `${base}/__emulator/files/${id}`;
		const signed = html` · <a href="${url}?version=signed">signed</a>`;
		return html`<span
			>${title}:
			<a href="${url}?version=original">original</a>${isSealed ? signed : undefined}</span
		>`;
	});
	return html`<div class="row small" style="margin-top: 10px">${links}</div>`;
}

function deliveryTable(deliveries: readonly Delivery[]): Html {
	const rows = deliveries.slice(-50).map(
		({ event, url, attempt, status, ms }) =>
			html`<tr>
				<td><code>${event}</code></td>
				<td><code class="soft">${url}</code></td>
				<td>${attempt}</td>
				<td>
					<span class="badge ${status >= 200 && status < 300 ? 'ok' : 'bad'}"
						>${status || 'none'}</span
					>
				</td>
				<td class="soft">${ms} ms</td>
			</tr>`,
	);
	return html`<div class="sheet scroll">
		<table>
			<thead>
				<tr>
					<th>Event</th>
					<th>Endpoint</th>
					<th>Attempt</th>
					<th>Response</th>
					<th>Time</th>
				</tr>
			</thead>
			<tbody>
				${rows.reverse()}
			</tbody>
		</table>
	</div>`;
}
