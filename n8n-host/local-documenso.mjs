import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { failWhenDead, launch } from './children.mjs';
import { UserError } from './userError.mjs';
import { root } from './paths.mjs';

const readyWithinMs = 30_000;

/**
 * Starts the local Documenso with the demo documents, in a separate process. `settings` are more flags
 * of `emulator/cli.ts`: `{ 'latency-ms': 50 }`.
 */
export async function startEmulator({ port, logDir, deliveries = 'inOrder', settings = {} }) {
	const child = launch(
		'The local Documenso',
		process.execPath,
		[
			'--import',
			'tsx',
			'emulator/cli.ts',
			'--port',
			`${port}`,
			'--host',
			'127.0.0.1',
			'--seed',
			'demo',
			'--deliveries',
			deliveries,
			...Object.entries(settings).flatMap(([flag, value]) => [`--${flag}`, `${value}`]),
		],
		{ cwd: root, logFile: join(logDir, 'emulator.log') },
	);
	const url = `http://127.0.0.1:${port}`;
	try {
		await Promise.race([ready(url), failWhenDead(child)]);
	} catch (error) {
		await child.stop();
		throw error;
	}
	return { url, child, stop: child.stop, ...controlsOf(url) };
}

function controlsOf(url) {
	const call = async (method, path, body) => {
		const response = await fetch(`${url}${path}`, {
			method,
			headers: { 'x-emulator-control': '1', ...(body && { 'content-type': 'application/json' }) },
			body: body && JSON.stringify(body),
		});
		if (response.ok) return response;
		const text = await response.text();
		throw new Error(
			`The local Documenso answered ${response.status} to ${method} ${path}: ${text}`,
		);
	};
	return {
		state: async () => (await call('GET', '/__emulator/state')).json(),
		reset: () => call('POST', '/__emulator/reset'),
		/** The calls since the last reset, or since `forgetCalls`. */
		counts: async () => (await call('GET', '/__emulator/counts')).json(),
		forgetCalls: () => call('DELETE', '/__emulator/calls'),
		/** Makes drafts from a template without any API call, or sent documents, and resolves with their IDs. */
		makeDocuments: async (templateId, count, { isSent } = {}) => {
			const body = { templateId, count, isSent };
			const answer = await call('POST', '/__emulator/documents', body);
			return (await answer.json()).ids;
		},
		/** Delivers an event about a document, whatever its status. */
		deliver: (event, envelopeId, times) =>
			call('POST', '/__emulator/deliver', { event, envelopeId, times }),
		registerWebhook: (webhook) => call('POST', '/__emulator/webhooks', webhook),
		forgetWebhooks: () => call('DELETE', '/__emulator/webhooks'),
		fail: (fault) => call('POST', '/__emulator/faults', fault),
		recover: () => call('DELETE', '/__emulator/faults'),
		/** With values by label, the other fields stay as they are. */
		sign: (token, fields) => call('POST', `/sign/${token}`, { action: 'sign', fields }),
		originalFile: async (itemId) =>
			Buffer.from(await (await call('GET', `/__emulator/files/${itemId}`)).arrayBuffer()),
	};
}

async function ready(url) {
	const deadline = Date.now() + readyWithinMs;
	while (Date.now() < deadline) {
		const response = await fetch(`${url}/__emulator/health`).catch(() => undefined);
		if (response?.ok) return;
		await sleep(100);
	}
	throw new UserError(`The local Documenso was not ready after ${readyWithinMs / 1000} s.`);
}
