import type { Instance } from '../instance';
import type { RegisteredWebhook } from '../webhooks/delivery';
import { WEBHOOK_EVENTS } from '../webhooks/events';
import { Html, html, page } from './html';

/** What somebody has entered in the form. */
interface WebhookForm {
	url: string;
	secret: string;
	events: readonly string[];
}

/** The service's Team Settings → Webhooks: the registered webhooks, and a form for another one. */
export function webhooksPage(
	instance: Instance,
	webhooks: readonly RegisteredWebhook[],
	path: string,
	form: WebhookForm = { url: '', secret: '', events: [] },
	problem?: string,
): string {
	const body = html`<header>
			<h1>Webhooks</h1>
			<div class="soft"><a href="${instance.baseUrl()}/">All documents</a></div>
		</header>
		<main>
			<div class="stack">${listOf(webhooks, path)}</div>
			<h2>Create a webhook</h2>
			<form class="sheet" method="post" action="${path}">
				${problem ? html`<p class="problem" role="alert">${problem}</p>` : undefined}
				<label
					><span class="caption"><span>Webhook URL</span></span
					><input name="url" type="url" value="${form.url}" placeholder="https://" required
				/></label>
				<fieldset class="events">
					<legend class="caption"><span>Events</span></legend>
					${WEBHOOK_EVENTS.map((event) => eventChoice(event, form.events.includes(event)))}
				</fieldset>
				<label
					><span class="caption"><span>Secret</span></span
					><input name="secret" value="${form.secret}" autocomplete="off" /><span class="soft small"
						>Sent in the header X-Documenso-Secret. Enter the same text in n8n's credential, as the
						Webhook Secret.</span
					></label
				>
				<div><button>Create</button></div>
			</form>
		</main>`;
	return page('Webhooks · local Documenso', body);
}

function listOf(webhooks: readonly RegisteredWebhook[], path: string): Html {
	if (webhooks.length === 0) return html`<div class="sheet soft">No webhooks yet.</div>`;
	return html`${webhooks.map((webhook) => webhookCard(webhook, path))}`;
}

function webhookCard({ id, url, events, secret }: RegisteredWebhook, path: string): Html {
	return html`<section class="sheet">
		<div class="row">
			<code>${url}</code>
			<span class="badge">${secret ? 'with a secret' : 'no secret'}</span>
		</div>
		<p class="soft small">${events ? events.map(shownEvent).join(', ') : 'all events'}</p>
		<form method="post" action="${path}/${id}/delete">
			<div><button class="plain">Delete</button></div>
		</form>
	</section>`;
}

function eventChoice(event: string, isChosen: boolean): Html {
	return html`<label class="choice"
		><input
			type="checkbox"
			name="events"
			value="${event}"
			${isChosen ? 'checked' : ''}
		/>${shownEvent(event)}</label
	>`;
}

/** As the service shows it: `document.completed`. */
function shownEvent(event: string): string {
	return event.toLowerCase().replaceAll('_', '.');
}
