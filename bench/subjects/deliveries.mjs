import { setTimeout as sleep } from 'node:timers/promises';

export const event = 'DOCUMENT_COMPLETED';
/** No program listens there: only the body that would be delivered matters. */
const closedPort = 'http://127.0.0.1:9/';

/**
 * Bodies as the local Documenso delivers them, each about another of so many documents. Resolves with a function that
 * returns the next one, with an external ID that no other has or with the given one.
 */
export async function deliveries(emulator, template, count, { isSigned = false } = {}) {
	const ids = await emulator.makeDocuments(template.id, count, { isSent: isSigned });
	if (isSigned) await signAll(emulator);
	await emulator.registerWebhook({ url: closedPort, events: [event] });
	await emulator.deliver(event, ids[0]);
	const body = await firstDelivery(emulator);
	let index = 0;
	return (externalId = `delivery-${++made}`) =>
		JSON.stringify(about(ids, index++ % ids.length, body, externalId));
}

async function signAll(emulator) {
	for (const { recipients } of (await emulator.state()).documents) {
		for (const { token } of recipients) await emulator.sign(token);
	}
}

let made = 0;

/** The documents were made one after another, and so were their numbers. */
function about(ids, index, { payload, ...body }, externalId) {
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
