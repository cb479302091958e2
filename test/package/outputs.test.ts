import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../nodes/Documenso/resources';
import { happyPaths } from '../support/happyPaths';
import { inputOf, localStage } from '../support/localStage';
import { operations } from '../support/operations';
import { schemaOf } from '../support/schema';
import { useService } from '../support/suite';

// UPDATE=1 writes the files that this test otherwise compares.
const isUpdate = process.env.UPDATE === '1';
const folder = join(__dirname, '..', '..', 'nodes', 'Documenso', '__schema__', 'v1.0.0');
const suite = useService({ seed: 'demo' });
const stage = localStage(suite);

/** The deprecated resource may be taken out of the registry, and its tests stay behind for a while. */
function isThere(id: string): boolean {
	const isDeprecated = id.startsWith('templateDeprecated.');
	return !isDeprecated || resources.some(({ value }) => value === 'templateDeprecated');
}

test('every operation has a happy path, and every happy path an operation', () => {
	expect(Object.keys(happyPaths).filter(isThere).sort()).toEqual(
		operations.map(({ id }) => id).sort(),
	);
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
		const { parameters, items } = await inputOf(one, stage);
		const outputs = await suite.outputOf(parameters, items);
		expect(hasSigningToken(outputs)).toBe(RETURN_LINKS.includes(one.id));
		const file = join(folder, one.resource, `${one.operation.value}.json`);
		const preview = { ...schemaOf(outputs), version: 1 };
		// The editor would show that there is nothing.
		expect(JSON.stringify(preview)).not.toContain('"null"');
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
