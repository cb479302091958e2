import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { failWhenDead, launch } from '../../../n8n-host/children.mjs';
import { UserError } from '../../../n8n-host/userError.mjs';

const readyWithinMs = 120_000;

/** A program that is killed or stopped, and started again, while the others go on. */
export class Restartable {
	#program;
	#starts = 0;
	#child;

	/**
	 * @param program `command`, `args`, `cwd` and `env`; `logDir`, where each start gets a log of its own; `isReady`
	 * resolves if it can be used
	 */
	constructor(name, program) {
		this.name = name;
		this.#program = program;
	}

	get pid() {
		return this.#child.pid;
	}

	async start() {
		this.begin();
		await this.ready();
	}

	/** Starts it without waiting until it can be used. */
	begin() {
		const { command, args, cwd, env, logDir } = this.#program;
		const logFile = join(logDir, `${this.name.replaceAll(' ', '-')}-${++this.#starts}.log`);
		this.#child = launch(this.name, command, args, { cwd, env, logFile });
	}

	async ready() {
		await Promise.race([this.#untilReady(), failWhenDead(this.#child)]);
	}

	async #untilReady() {
		const deadline = Date.now() + readyWithinMs;
		for (;;) {
			try {
				return await this.#program.isReady();
			} catch (error) {
				if (Date.now() < deadline) await sleep(100);
				else throw new UserError(`${this.name} is not ready: ${error.message}`);
			}
		}
	}

	/** As if its machine lost power. */
	async kill() {
		process.kill(-this.pid, 'SIGKILL');
		await this.#child.stop();
	}

	async stop(signal = 'SIGTERM') {
		process.kill(-this.pid, signal);
		await this.#child.exited;
		await this.#child.stop();
	}
}
