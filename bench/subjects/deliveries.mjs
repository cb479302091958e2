import { setTimeout as sleep } from 'node:timers/promises';

export const event = 'DOCUMENT_COMPLETED';
/** No program listens there: only the body that would be delivered matters. */
const closedPort = 'http://127.0.0.1:9/';

let earlier = 0;

/**
 * Bodies as the local Documenso delivers them, each about another of so many documents. Resolves with a function that
 * returns the next one, with an external ID that no other has or with the given one.
 */
export async function deliveries(emulator, template, count, { isSigned = false } = {}) {
	// After a reset the local Documenso gives the same IDs again: deliveries about these would be duplicates.
	if (earlier > 0) await emulator.makeDocuments(template.id, earlier);
	earlier += count;
	const ids = await emulator.makeDocuments(template.id, count, { isSent: isSigned });
	if (isSigned) await sign(emulator, ids);
	await emulator.registerWebhook({ url: closedPort, events: [event] });
	await emulator.deliver(event, ids[0]);
	const body = await firstDelivery(emulator);
	let index = 0;
	return (externalId = `delivery-${++made}`) =>
		JSON.stringify(about(ids, index++ % ids.length, body, externalId));
}

async function sign(emulator, ids) {
	const documents = new Map((await emulator.state()).documents.map((one) => [one.id, one]));
	for (const { recipients } of ids.map((id) => documents.get(id))) {
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
