import { createServer } from 'node:http';

import { isForeign } from '../emulator/http/foreign.js';

/**
 * Receives messages like a Slack incoming webhook, and shows them on a page. Responds like Slack: `ok`,
 * or 400 with `invalid_payload` or `no_text`.
 */
export async function startInbox({ port }) {
	const messages = [];
	const server = createServer(async (request, response) => {
		if (isForeign(request.headers)) {
			response.writeHead(403, { 'content-type': 'text/plain' });
			response.end('The inbox answers only at 127.0.0.1 and localhost, and only its own pages.\n');
		} else if (request.method === 'POST') {
			const { status, body } = receive(await textOf(request), messages);
			response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
		} else if (request.url === '/messages') {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(messages));
		} else {
			response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(messages));
		}
	});
	await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});

	const url = `http://127.0.0.1:${server.address().port}`;
	return {
		url,
		webhookUrl: `${url}/services/T000/B000/demo`,
		messages,
		stop() {
			server.close();
			server.closeAllConnections();
		},
	};
}

function receive(text, messages) {
	let message;
	try {
		message = JSON.parse(text);
	} catch {
		return { status: 400, body: 'invalid_payload' };
	}
	if (typeof message?.text !== 'string' || message.text === '') {
		return { status: 400, body: 'no_text' };
	}
	messages.push({ text: message.text, receivedAt: new Date().toISOString() });
	return { status: 200, body: 'ok' };
}

async function textOf(request) {
	request.setEncoding('utf8');
	let text = '';
	for await (const chunk of request) text += chunk;
	return text;
}

function page(messages) {
	const list = messages
		.toReversed()
		.map(
			({ text, receivedAt }) =>
				`<article><b>n8n</b> <time>${receivedAt.slice(11, 19)} UTC</time><p>${slackMarkup(text)}</p></article>`,
		);
	return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>Inbox (${messages.length})</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1d1c1d}
article{border-top:1px solid #ddd;padding:.6rem 0}time{color:#767676;font-size:.8em}p{margin:.2rem 0}</style>
<h1>Inbox</h1>
<p>Messages that n8n posts to Slack arrive here.</p>
${list.join('\n') || '<p>No message yet. One arrives here when everybody has signed a document.</p>'}
</html>`;
}

function slackMarkup(text) {
	// Slack's own escapes, &amp; &lt; and &gt;, are those of HTML, too.
	const escaped = text.replace(
		/&(?!(?:amp|lt|gt);)|[<>"]/g,
		(character) => `&#${character.charCodeAt(0)};`,
	);
	return escaped
		.replaceAll(':white_check_mark:', '✅')
		.replaceAll(':warning:', '⚠️')
		.replace(/\*([^*\n]+)\*/g, '<b>$1</b>')
		.replaceAll('\n', '<br>');
}
