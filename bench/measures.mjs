/** What is measured, how its column is called, and how its values are shown. */
const measures = {
	ms: { title: 'time', show: duration },
	/** The time over that of this node. */
	ratio: { title: '× this node', show: (value) => value.toFixed(2) },
	requests: { title: 'requests', show: whole },
	refused: { title: 'answered 429', show: whole },
	maxInFlight: { title: 'most in flight', show: whole },
	sockets: { title: 'connections', show: whole },
	peakMb: { title: 'peak memory', show: (value) => `+${whole(value)} MB` },
	perSecond: { title: 'deliveries a second', show: (value) => value.toFixed(1) },
	p50Ms: { title: 'reply, median', show: duration },
	p99Ms: { title: '… 99 % at most', show: duration },
	accepted: { title: 'accepted', show: whole },
	recorded: { title: 'executions', show: whole },
	unpackedKb: { title: 'on disk', show: (value) => `${whole(value)} kB` },
	files: { title: 'files', show: whole },
	loadMs: { title: 'to load', show: (value) => `${value.toFixed(1)} ms` },
	failed: { title: 'n8n says', show: (value) => (value > 0 ? 'failed' : 'succeeded') },
	completed: { title: 'rows completed', show: whole },
	duplicates: { title: 'made twice', show: whole },
	othersMs: { title: 'others wait', show: duration },
	othersP95Ms: { title: '… 95 % at most', show: duration },
	othersRatio: { title: '× unloaded', show: (value) => value.toFixed(1) },
};

export function titleOf(measure) {
	return measures[measure].title;
}

/** A value that could not be measured here is undefined. */
export function shown(measure, value) {
	return value === undefined ? 'n/a' : measures[measure].show(value);
}

/** A subject's value in the headline of its case, in words. */
export function headlineOf({ measure, remark }, { medians }) {
	return shown(measure, medians[measure]) + (remark?.(medians) ?? '');
}

const millisecondsPerSecond = 1000;

function duration(milliseconds) {
	return milliseconds < millisecondsPerSecond
		? `${whole(milliseconds)} ms`
		: `${(milliseconds / millisecondsPerSecond).toFixed(1)} s`;
}

function whole(value) {
	return Math.round(value).toLocaleString('en-US');
}
