import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { clock } from '../../nodes/shared/api/clock';
import { itemWith, useBinaryMode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { byId, contract, tenants, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
beforeAll(async () => await useBinaryMode('filesystem'));
afterAll(async () => await useBinaryMode('default'));

/** Where n8n keeps files. */
const home = () => join(process.env.N8N_USER_FOLDER ?? '', '.n8n');

async function files(): Promise<string[]> {
	const entries = await readdir(home(), { recursive: true, withFileTypes: true });
	return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

test('a download that n8n cannot store is not called a broken connection', async () => {
	const { id } = await suite.document();
	const [stored = ''] = (await files()).filter((file) => file.includes('binary_data'));
	const root = stored.slice(0, stored.indexOf('/workflows/') + '/workflows'.length);
	await rename(root, `${root}-away`);
	await writeFile(root, 'in the way');
	const download = { resource: 'document', operation: 'download', version: 'original' };
	const { error } = await suite.run({ ...download, documentId: byId(id) }, tenants(1));
	await rm(root);
	await rename(`${root}-away`, root);
	expect(error?.message).toBe('n8n could not store the downloaded file');
	expect(error?.description).toContain('Check where n8n keeps binary data');
	expect(error?.description).toContain('ENOTDIR');
	// Asking again would not help.
	expect(suite.service.calls.filter(({ path }) => path.includes('download'))).toHaveLength(1);
});

test('a file that is gone when it is sent is not called a broken connection, and nothing is in doubt', async () => {
	const before = new Set(await files());
	const item = await itemWith({ data: { content: await pdf('A lease') } });
	const own = (await files()).filter((file) => !before.has(file));
	const create = { resource: 'document', operation: 'create', ...contract };
	suite.service.fail({
		match: 'POST /envelope/create',
		status: 429,
		headers: { 'retry-after': '20' },
		body: { error: 'Too many requests' },
	});
	const run = suite.run(create, [item]);
	while (suite.calls('POST /envelope/create').length === 0) {
		await clock.sleep(50);
	}
	const content = own.find((file) => !file.endsWith('.metadata')) ?? '';
	await rename(content, `${content}-away`);
	const { error } = await run;
	await rename(`${content}-away`, content);
	expect(error?.message).toBe('n8n could not read the file to send');
	expect(error?.description).not.toContain('may have');
	expect(suite.documents()).toEqual([]);
	// No earlier try is in doubt.
	const again = await suite.run(create, [item]);
	expect(again.error).toBeUndefined();
});

test.each([401, 403, 404, 500])(
	'an error %i that names a location is not called a redirect',
	async (status) => {
		const fault = { status, headers: { location: '/signin' }, body: { message: 'Not for you' } };
		suite.service.fail({ match: 'GET /envelope', ...fault, times: 9 });
		const getMany = { resource: 'document', operation: 'getAll', searchIn: 'root' };
		const { error } = await suite.run(getMany, tenants(1));
		expect(error?.message).toBe('Not for you');
	},
);
