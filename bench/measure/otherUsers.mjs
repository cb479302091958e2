import { median, quantile } from './statistics.mjs';

/** Seldom, because each probe takes a part of what the service can do. */
const pauseMs = 2000;
const unloadedProbes = 8;
/** The service counts calls by address. */
const address = '192.0.2.1';

/** Somebody else who asks the service for something small now and then: what he waits for it. */
export async function watchOtherUsers({ apiUrl, apiToken }) {
	const probe = async () => {
		const started = performance.now();
		const headers = { authorization: apiToken, 'x-forwarded-for': address };
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
			// Not even one pause long.
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

/** The endpoint that is asked, to tell these calls from those that are measured. */
export const probedEndpoint = 'GET /folder';
