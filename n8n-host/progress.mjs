const plainLineEveryMs = 15_000;
let output = process.stdout;

/** For programs whose standard output is read by other programs. */
export function showProgressOn(stream) {
	output = stream;
}

/**
 * Reports what is being done, and for how long: on a terminal in one line that counts the seconds,
 * elsewhere (CI) in a new line every 15 seconds, because a silent job looks stuck.
 */
export async function step(title, work) {
	const started = Date.now();
	const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
	const terminal = output.isTTY;
	const show = terminal
		? () => output.write(`\r\x1b[K${fitted(`… ${title} (${seconds()})`)}`)
		: () => output.write(`… ${title} (${seconds()})\n`);
	const timer = setInterval(show, terminal ? 1000 : plainLineEveryMs);
	const close = (mark) =>
		output.write(`${terminal ? '\r\x1b[K' : ''}${mark} ${title} (${seconds()})\n`);
	if (terminal) show();

	try {
		const result = await work();
		close('✓');
		return result;
	} catch (error) {
		close('✗');
		throw error;
	} finally {
		clearInterval(timer);
	}
}

/** A line that wraps cannot be rewritten in place. */
function fitted(line) {
	const width = (output.columns || 80) - 1;
	return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
