// Plain JavaScript, because the demo's n8n and its inbox use it, too.
const { isIP } = require('node:net');

/**
 * Whether a page of another site may have sent a request with these headers. The browser names that site as the origin.
 * Or the site has let its own name lead to this computer, and the browser takes us for a part of it (DNS rebinding): then
 * its name is the host. An IP address leads nowhere else, and nobody owns `localhost`.
 */
function isForeign({ host = '', origin }, ownNames = []) {
	const name = host.toLowerCase().replace(/:\d+$/, '');
	const isOwn =
		isIP(name.replace(/^\[|\]$/g, '')) !== 0 || ['localhost', ...ownNames].includes(name);
	return !isOwn || (origin !== undefined && origin.split('//')[1] !== host);
}

module.exports = { isForeign };
