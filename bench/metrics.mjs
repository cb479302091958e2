/** The title of each metric's column, and how its values are shown. */
const metrics = {
	ms: { title: 'time', show: duration },
	/** The time, divided by that of this node. */
	ratio: { title: '× this node', show: (value) => value.toFixed(2) },
	requests: { title: 'requests', show: whole },
	refused: { title: 'answered 429', show: whole },
	maxInFlight: { title: 'max concurrent', show: whole },
	sockets: { title: 'connections', show: whole },
	peakMb: { title: 'peak memory', show: (value) => `+${whole(value)} MB` },
	perSecond: { title: 'deliveries a second', show: (value) => value.toFixed(1) },
	p50Ms: { title: 'reply, median', show: duration },
	p99Ms: { title: '99th percentile', show: duration },
	accepted: { title: 'accepted', show: whole },
	recorded: { title: 'executions', show: whole },
	continued: { title: 'went on', show: whole },
	again: { title: 'twice', show: whole },
	/** From the event to the continuation. */
	eventP50Ms: { title: 'after the event, median', show: duration },
	eventP99Ms: { title: '99th percentile', show: duration },
	requestsEach: { title: 'requests each', show: (value) => value.toFixed(1) },
	/** Of n8n. */
	processorMs: { title: 'processor time each', show: duration },
	/** Of a nudge while the document is not signed. */
	earlyMs: { title: 'too early: answered in', show: duration },
	earlyRequestsEach: { title: 'requests', show: (value) => value.toFixed(1) },
	earlyProcessorMs: { title: 'processor time', show: duration },
	unpackedKb: { title: 'on disk', show: (value) => `${whole(value)} kB` },
	files: { title: 'files', show: whole },
	loadMs: { title: 'to load', show: (value) => `${value.toFixed(1)} ms` },
	failed: { title: 'execution', show: (value) => (value > 0 ? 'failed' : 'succeeded') },
	completed: { title: 'rows completed', show: whole },
	duplicates: { title: 'duplicates', show: whole },
	firstRequests: { title: 'requests: first run', show: whole },
	firstMs: { title: 'time: first run', show: duration },
	againRequests: { title: 'requests: all there', show: whole },
	againMs: { title: 'time: all there', show: duration },
	someNewRequests: { title: 'requests: some new', show: whole },
	someNewMs: { title: 'time: some new', show: duration },
	/** The time, divided by the least that the rate limit allows. */
	overMinimum: { title: '× minimum', show: (value) => value.toFixed(2) },
	othersMs: { title: 'others wait', show: duration },
	othersP95Ms: { title: '95th percentile', show: duration },
	othersRatio: { title: '× unloaded', show: (value) => value.toFixed(1) },
	/** The longest blocks of the event loop, by what caused them. */
	pdfOfStreams: { title: 'PDF of 3 kB: streams in a stream', show: duration },
	pdfOfHeads: { title: 'PDF of 15 kB: millions of empty objects', show: duration },
	pdfOfBrackets: { title: 'PDF of 10 MB: nothing but brackets', show: duration },
	recipients125: { title: 'delivery of 125 kB: broken recipients', show: duration },
	recipients1000: { title: 'delivery of 1 MB: broken recipients', show: duration },
	markers: { title: 'delivery of 3.9 MB: forged markers', show: duration },
	longName: { title: 'item of 16 MB: one name of brackets', show: duration },
	longValues: { title: 'item of 16 MB: two values of blanks', show: duration },
	nearNames: { title: 'item of 20,000 columns: misspelt names', show: duration },
	manyColumns: { title: 'item of 16 MB: a million columns', show: duration },
	sameLabels: { title: 'template of 2,000 fields with one label', show: duration },
	picker: { title: 'picker of such a template', show: duration },
	filter: { title: 'delivery of 4.9 MB through filters', show: duration },
	rows10000: { title: '10,000 rows with Skip', show: duration },
	rows50000: { title: '50,000 rows with Skip', show: duration },
};

export function titleOf(metric) {
	return metrics[metric].title;
}

/** A value that could not be measured here is undefined. */
export function shown(metric, value) {
	return value === undefined ? 'n/a' : metrics[metric].show(value);
}

/** A subject's value of the headline metric, as text. */
export function headlineOf({ metric, remark }, { medians }) {
	return shown(metric, medians[metric]) + (remark?.(medians) ?? '');
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
