export function median(values) {
	return quantile(values, 0.5);
}

/** Interpolates between the two nearest values. */
export function quantile(values, share) {
	const sorted = [...values].sort((a, b) => a - b);
	const position = (sorted.length - 1) * share;
	const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
	return below + (above - below) * (position % 1);
}
