import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../nodes/Documenso/resources';
import { happyPaths, type Stage } from '../support/happyPaths';
import { operations } from '../support/operations';
import { beforeCall } from '../support/polling';
import { schemaOf } from '../support/schema';
import { lines } from '../support/service';
import { contract, useService } from '../support/suite';

// UPDATE=1 writes the files that this test otherwise compares.
const isUpdate = process.env.UPDATE === '1';
const folder = join(__dirname, '..', '..', 'nodes', 'Documenso', '__schema__', 'v1.0.0');
const suite = useService({ seed: 'demo' });

/** The deprecated resource may be taken out of the registry, and its tests stay behind for a while. */
function isThere(id: string): boolean {
	const isDeprecated = id.startsWith('templateDeprecated.');
	return !isDeprecated || resources.some(({ value }) => value === 'templateDeprecated');
}

const stage: Stage = {
	outputOf: suite.outputOf,
	document: suite.document,
	template: async () => await Promise.resolve(suite.template()),
	contract: () => contract,
	completed: async () => {
		const document = await suite.document('createAndSend');
		await suite.complete(document.id);
		return document;
	},
	signWhenRead: () => {
		const restore = beforeCall(suite.service, (line) => {
			if (!line.startsWith('POST /envelope/get-many')) return;
			restore();
			for (const document of suite.documents()) {
				Object.assign(document, { status: 'COMPLETED', completedAt: new Date() });
			}
		});
	},
};

/** What the operation returns; the service then has only its calls. */
async function outputsOf({ id, resource, operation }: (typeof operations)[number]) {
	const path = happyPaths[id];
	if (!path) throw new Error(`${id} has no happy path`);
	const { parameters, items } = await path(stage);
	suite.service.calls.length = 0;
	return await suite.outputOf({ resource, operation: operation.value, ...parameters }, items);
}

/** `GET /envelope/{envelopeId}` as a pattern for the call that was made. */
function pattern(endpoint: string): RegExp {
	const escaped = endpoint.replace(/[/.]/g, '\\$&');
	return new RegExp(`^${escaped.replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

test('every operation has a happy path, and every happy path an operation', () => {
	expect(Object.keys(happyPaths).filter(isThere).sort()).toEqual(
		operations.map(({ id }) => id).sort(),
	);
});

test.each(operations)('$id calls the endpoints that it names, and no other', async (one) => {
	await outputsOf(one);
	const named = one.operation.endpoint.split(', ').map(pattern);
	const made = lines(suite.service);
	expect(made.length).toBeGreaterThan(0);
	for (const line of made) expect(named.some((one) => one.test(line))).toBe(true);
});

/** Operations that return signing links though the output is simplified. */
const RETURN_LINKS = [
	'document.createAndSend',
	'document.resend',
	'document.send',
	'recipient.getSigningLink',
	'template.createDocument',
];

function hasSigningToken(outputs: IDataObject[]): boolean {
	const text = JSON.stringify(outputs);
	const recipients = [...suite.service.store.envelopes.values()].flatMap((one) => one.recipients);
	return recipients.some(({ token }) => text.includes(token));
}

test.each(operations)(
	'$id returns what the editor shows before it has run, and signing links only if it is for that',
	async (one) => {
		const outputs = await outputsOf(one);
		expect(hasSigningToken(outputs)).toBe(RETURN_LINKS.includes(one.id));
		const file = join(folder, one.resource, `${one.operation.value}.json`);
		const preview = { ...schemaOf(outputs), version: 1 };
		if (isUpdate) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `${JSON.stringify(preview, undefined, '\t')}\n`);
		}
		expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(preview);
	},
);

test('there is no preview of an operation that does not exist', () => {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const ids = files
		.filter((name) => name.endsWith('.json'))
		.map((name) => name.replace('/', '.').replace(/\.json$/, ''));
	expect(ids.filter(isThere).sort()).toEqual(operations.map(({ id }) => id).sort());
});
