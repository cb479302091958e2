const plainLineEveryMs = 15_000;

/**
 * Says what is being done for how long: on a terminal in one line that counts the seconds, elsewhere
 * (CI) in a line now and then, since a silent job looks like a dead one.
 */
export async function step(title, work) {
	const started = Date.now();
	const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
	const terminal = process.stdout.isTTY;
	const show = terminal
		? () => process.stdout.write(`\r\x1b[K${fitted(`… ${title} (${seconds()})`)}`)
		: () => console.log(`… ${title} (${seconds()})`);
	const timer = setInterval(show, terminal ? 1000 : plainLineEveryMs);
	const close = (mark) =>
		console.log(`${terminal ? '\r\x1b[K' : ''}${mark} ${title} (${seconds()})`);
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
	const width = (process.stdout.columns || 80) - 1;
	return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
