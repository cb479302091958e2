// Loaded into n8n's process before n8n: no setting of n8n refuses a page of another site.
import { readFileSync } from 'node:fs';
import { Server } from 'node:http';

import { isForeign } from '../emulator/http/foreign.js';

const signInPage = readFileSync(new URL('sign-in.html', import.meta.url));
const refusal = 'n8n answers only at 127.0.0.1 and localhost, and only its own pages.\n';

/** Anybody may call a webhook or send a form, and n8n shows forms in a sandbox, where they have no origin. */
const isPublic = /^\/(form|webhook)(-test|-waiting)?\//;

const { emit } = Server.prototype;

Server.prototype.emit = function (event, ...args) {
	const [request, answer] = args;
	if (event === 'upgrade' && isRefused(request)) refuseUpgrade(request.socket);
	else if (event !== 'request') return emit.call(this, event, ...args);
	else if (isRefused(request)) send(answer, 403, 'text/plain', refusal);
	else if (request.url.startsWith('/demo-login/')) send(answer, 200, 'text/html', signInPage);
	else return emit.call(this, event, ...args);
	return true;
};

function isRefused({ url, headers: { host, origin, upgrade } }) {
	// As n8n itself reads the path: `/form/../rest` does not lead to a form.
	const isOpen = !upgrade && isPublic.test(URL.parse(url, 'http://n8n')?.pathname ?? '');
	return isForeign(isOpen ? { host } : { host, origin });
}

function send(answer, status, type, body) {
	answer.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

/** Of a socket that is upgraded, nobody else handles the errors. */
function refuseUpgrade(socket) {
	socket.on('error', () => socket.destroy());
	socket.write('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
	socket.destroySoon();
}
