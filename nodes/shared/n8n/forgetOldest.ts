/** How many of the same kind a process remembers. */
const REMEMBERED = 10_000;

export function forgetOldest(known: Map<string, unknown> | Set<string>, most = REMEMBERED) {
	for (const oldest of known.keys()) {
		if (known.size <= most) break;
		known.delete(oldest);
	}
}
