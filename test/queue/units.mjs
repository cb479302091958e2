const millisecondsPerSecond = 1000;

export function seconds(ms) {
	return `${Math.round(ms / millisecondsPerSecond)} s`;
}

export function perSecond(count, ms) {
	return (count / ms) * millisecondsPerSecond;
}
