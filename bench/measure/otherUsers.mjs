import { median, quantile } from './statistics.mjs';

/** Long, because each probe uses some of the service's capacity. */
const pauseMs = 2000;
const unloadedProbes = 8;
/** The rate limit is per address; what comes from this one uses nothing of the subjects'. */
export const otherAddress = '192.0.2.1';

/** Measures how long another user waits for a small request every now and then. */
export async function watchOtherUsers({ apiUrl, apiToken }) {
	const probe = async () => {
		const started = performance.now();
		const headers = { authorization: apiToken, 'x-forwarded-for': otherAddress };
		const response = await fetch(`${apiUrl}/folder?perPage=1`, { headers });
		await response.arrayBuffer();
		if (!response.ok) throw new Error(`The probe was answered with ${response.status}.`);
		return performance.now() - started;
	};
	const unloaded = [];
	while (unloaded.length < unloadedProbes) unloaded.push(await probe());
	const underWay = [];
	const timer = setInterval(() => underWay.push(probe()), pauseMs);
	return {
		stop: async () => {
			clearInterval(timer);
			const waits = await Promise.all(underWay);
			// The run was shorter than one pause.
			if (waits.length === 0) waits.push(await probe());
			return {
				unloadedMs: median(unloaded),
				othersMs: median(waits),
				othersP95Ms: quantile(waits, 0.95),
				othersRatio: median(waits) / median(unloaded),
			};
		},
	};
}

/** The probes' endpoint, which distinguishes them from the calls that are measured. */
export const probedEndpoint = 'GET /folder';
