const bytesPerMegabyte = 1e6;

/** What the local Documenso counted while a subject ran, without the calls of an endpoint that others used. */
export function countsOf({ calls, maxInFlight, sockets, bytesReceived }, ignoredEndpoint) {
	const statuses = Object.entries(calls)
		.filter(([endpoint]) => endpoint !== ignoredEndpoint)
		.flatMap(([, byStatus]) => Object.entries(byStatus));
	const countOf = (wanted) =>
		statuses.filter(([status]) => wanted(status)).reduce((sum, [, count]) => sum + count, 0);
	return {
		requests: countOf(() => true),
		refused: countOf((status) => status === '429'),
		maxInFlight,
		sockets,
		receivedMb: bytesReceived / bytesPerMegabyte,
	};
}
