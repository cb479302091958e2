import { stopAll } from './children.mjs';
import { UserError } from './userError.mjs';

const interruptedExitCode = 130;

/**
 * Does the work of a process, which ends with the number that it resolves to. Ends the process
 * itself: whatever was still going on must not start anything new.
 */
export async function program(work) {
	let stopping = false;
	const outcome = work().catch((error) => {
		// What fails because it is being stopped needs no explanation.
		if (!stopping) explain(error);
		return 1;
	});
	const code = await Promise.race([outcome, interruption()]);
	stopping = true;
	if (code === interruptedExitCode) console.log('\nStopping …');
	await stopAll();
	process.exit(code);
}

function interruption() {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
			// The second one does not wait for anybody; children.mjs then kills what is left.
			process.once(signal, () => {
				process.once(signal, () => process.exit(interruptedExitCode));
				resolve(interruptedExitCode);
			});
		}
	});
}

function explain(error) {
	console.error(`\n${error instanceof UserError ? error.message : error.stack}`);
}
