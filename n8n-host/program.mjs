import { stopAll } from './children.mjs';
import { UserError } from './userError.mjs';

const interruptedExitCode = 130;

/**
 * Runs the work of a process, and exits with the number that it resolves to. It exits explicitly, so
 * that nothing still in progress starts anything new.
 */
export async function program(work) {
	let stopping = false;
	const outcome = work().catch((error) => {
		// Errors caused by stopping need no explanation.
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
			// A second signal exits at once; children.mjs then kills what is left.
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
