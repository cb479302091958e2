import { setTimeout as sleep } from 'node:timers/promises';

export const event = 'DOCUMENT_COMPLETED';
/** No program listens there: only the body that would be delivered matters. */
const closedPort = 'http://127.0.0.1:9/';

/**
 * Bodies as the local Documenso delivers them, each about another of so many documents. Resolves with a function that
 * returns the next one.
 */
export async function deliveries(emulator, template, count) {
	const ids = await emulator.makeDocuments(template.id, count);
	await emulator.registerWebhook({ url: closedPort, events: [event] });
	await emulator.deliver(event, ids[0]);
	const body = await firstDelivery(emulator);
	let index = 0;
	return () => JSON.stringify(about(ids, index++ % ids.length, body));
}

let made = 0;

/** The documents were made one after another, and so were their numbers. */
function about(ids, index, { payload, ...body }) {
	// After a reset the local Documenso may use the same IDs again: these would be duplicate deliveries.
	const externalId = `delivery-${++made}`;
	const document = { id: payload.id + index, envelopeId: ids[index], externalId };
	return { ...body, payload: { ...payload, ...document } };
}

async function firstDelivery(emulator) {
	for (;;) {
		const [delivery] = (await emulator.state()).deliveries;
		if (delivery) return delivery.body;
		await sleep(50);
	}
}
