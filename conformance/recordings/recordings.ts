import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

const headerValue = z.union([z.string(), z.number()]).transform(String);

const captureSchema = z.object({
	at: z.string().datetime(),
	ms: z.number().default(0),
	request: z.object({
		method: z.string(),
		path: z.string(),
		headers: z.record(headerValue),
		body: z.unknown(),
	}),
	response: z.object({
		status: z.number(),
		rawHeaders: z.array(z.tuple([z.string(), z.string()])),
		body: z.unknown(),
	}),
});

const deliverySchema = z.object({
	at: z.string().datetime(),
	url: z.string(),
	headers: z.record(headerValue),
	body: z.object({ event: z.string(), payload: z.record(z.unknown()) }).passthrough(),
});

/** A request to the real service and its response. */
export type Capture = z.output<typeof captureSchema> & { name: string };

/** A webhook delivery by the real service; `url` is its path and query. */
export type RecordedDelivery = z.output<typeof deliverySchema> & { name: string };

export interface Recordings {
	captures: Capture[];
	deliveries: RecordedDelivery[];
}

/** Concurrent captures, and the deliveries until the next ones. */
export interface Action {
	captures: Capture[];
	deliveries: RecordedDelivery[];
}

/** Reads `captures/` and `webhooks/` of a folder, both in chronological order. */
export async function readRecordings(folder: string): Promise<Recordings> {
	return {
		captures: await readAll(join(folder, 'captures'), captureSchema),
		deliveries: await readAll(join(folder, 'webhooks'), deliverySchema),
	};
}

/** Deliveries belong to the captures before them, as nothing in them names the call that caused them. */
export function groupIntoActions({ captures, deliveries }: Recordings): Action[] {
	const actions: Action[] = [];
	let busyUntil = 0;
	for (const capture of captures) {
		const start = Date.parse(capture.at);
		const current = actions.at(-1);
		// Both ends are rounded to milliseconds.
		if (current && start < busyUntil - 2) current.captures.push(capture);
		else actions.push({ captures: [capture], deliveries: [] });
		busyUntil = Math.max(busyUntil, start + capture.ms);
	}
	for (const delivery of deliveries) {
		const before = actions.filter(({ captures: [first] }) => first && first.at <= delivery.at);
		(before.at(-1) ?? actions[0])?.deliveries.push(delivery);
	}
	return actions;
}

/** The endpoints of an action's deliveries: the permanent one, which comes first, and the action's own. */
export function endpointsAt(
	{ captures, deliveries }: Action,
	{ deliveries: all }: Recordings,
): Array<{ url: string; secret: string }> {
	const start = captures[0]?.at ?? '';
	const permanent = all[0]?.url;
	const isPermanentStillUsed = all.some(({ url, at }) => url === permanent && at >= start);
	const urls = new Set(deliveries.map(({ url }) => url));
	if (permanent !== undefined && isPermanentStillUsed) urls.add(permanent);
	return [...urls].map((url) => {
		const headers = all.find((delivery) => delivery.url === url)?.headers;
		return { url, secret: headers?.['x-documenso-secret'] ?? '' };
	});
}

async function readAll<T extends { at: string }>(
	folder: string,
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
): Promise<Array<T & { name: string }>> {
	const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
	const recordings = await Promise.all(
		names.map(async (name) => {
			const content: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'));
			return { ...schema.parse(content), name: basename(name, '.json') };
		}),
	);
	return recordings.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
