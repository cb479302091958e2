import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { n8nFolder } from './paths.mjs';

/** The API that n8n's editor uses. */
export class N8nRest {
	#url;
	/** The session. Other clients can share it, as n8n allows only five logins a minute. */
	cookie;

	constructor(url, cookie = '') {
		this.#url = url;
		this.cookie = cookie;
	}

	async request(method, path, body) {
		const response = await fetch(`${this.#url}/rest${path}`, {
			method,
			headers: { cookie: this.cookie, 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) {
			throw new Error(
				`n8n answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`,
			);
		}
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) this.cookie = cookies.join('; ');
		return JSON.parse(text).data;
	}

	/** Creates the owner, or logs in if an earlier start has created one. */
	async logIn({ email, password, firstName, lastName }) {
		const settings = await this.request('GET', '/settings');
		if (settings.userManagement.showSetupOnFirstLoad) {
			await this.request('POST', '/owner/setup', { email, password, firstName, lastName });
		} else {
			await this.request('POST', '/login', { emailOrLdapLoginId: email, password });
		}
	}

	async publish(workflowId) {
		const { versionId } = await this.request('GET', `/workflows/${workflowId}`);
		await this.request('POST', `/workflows/${workflowId}/activate`, { versionId });
	}

	/** Runs a workflow like a click on "Execute workflow", and waits until it ends. */
	async run(workflowId, triggerName, timeoutMs) {
		const { executionId } = await this.request('POST', `/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: triggerName },
		});
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.execution(executionId);
			if (execution.finished || execution.stoppedAt) return execution;
			if (Date.now() > deadline) {
				throw new Error(`Execution ${executionId} has not ended after ${timeoutMs / 1000} s.`);
			}
			await sleep(250);
		}
	}

	/** The latest executions that match, and how many there are in all. */
	async executions(filter, limit = 20) {
		const wanted = encodeURIComponent(JSON.stringify(filter));
		return this.request('GET', `/executions?limit=${limit}&filter=${wanted}`);
	}

	async execution(id) {
		const execution = await this.request('GET', `/executions/${id}`);
		return { ...execution, data: execution.data ? flatted().parse(execution.data) : undefined };
	}
}

/** The parser of n8n's run data, from n8n's own packages so that the versions match. */
function flatted() {
	return createRequire(join(n8nFolder, 'package.json'))('flatted');
}
