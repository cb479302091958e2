import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { startEmulator } from '../../emulator';
import { clock } from '../../nodes/shared/api/clock';
import { hurry } from '../support/hurry';
import { runNode, useBinaryMode } from '../support/n8n';
import { credentialFor } from '../support/service';
import { fillFromRow, itemWithPdf, step, tenants, useService } from '../support/suite';

hurry();

const suite = useService({ seed: 'demo' });

/** What becomes of five minutes, and of an hour, in milliseconds: a busy machine needs seconds. */
const SHORTER: Record<number, number> = { 300_000: 1500, 3_600_000: 9000 };
const { timeout } = clock;
beforeAll(() => {
	clock.timeout = (milliseconds) => timeout(SHORTER[milliseconds] ?? milliseconds);
});
afterAll(() => {
	clock.timeout = timeout;
});

const getMany = step('template.getAll', {}, { searchIn: 'root' });

const TOO_LONG = 'The request took too long: five minutes in all, or an hour if it has a file';

test('an answer that never ends is given up, however many bytes still come', async () => {
	suite.service.fail({ match: 'GET /envelope', trickleMs: 300, times: 99 });
	const { error } = await suite.run(getMany, tenants(1));
	expect(error?.message).toMatch(/^The connection to Documenso at .* failed$/);
	expect(error?.description).toContain(TOO_LONG);
	expect(suite.service.calls).toHaveLength(5);
});

test('the redirects of a request share its time', async () => {
	const slow = { status: 302, headers: { location: '/api/v2/envelope' }, body: '', delayMs: 300 };
	suite.service.fail({ match: 'GET /envelope', ...slow, times: 999 });
	const { error } = await suite.run(getMany, tenants(1));
	expect(error?.description).toContain(TOO_LONG);
});

test('a creation whose answer never ends is in doubt, and its document is found', async () => {
	suite.service.fail({ match: 'POST /envelope/use', trickleMs: 300 });
	const { error, items } = await suite.run(fillFromRow, tenants(1));
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.id)).toEqual(suite.documents().map(({ id }) => id));
	expect(suite.calls('POST /envelope/use')).toHaveLength(1);
});

describe('a file', () => {
	test.each([
		['may take longer than other answers', 10, undefined],
		['that never ends is given up, also if memory is cleaned up meanwhile', 200, TOO_LONG],
	])('%s', async (_, parts, advice) => {
		await useBinaryMode('filesystem');
		const service = await startEmulator();
		const create = step('document.create', {}, { title: 'Scan' });
		const { items } = await runNode(credentialFor(service), create, [await itemWithPdf('A scan')]);
		service.intercept('GET *download', async ({ pass }) => {
			const { body } = await pass();
			return (response) => {
				response.writeHead(200, { 'content-length': body.length });
				const size = Math.ceil(body.length / parts);
				const next = (from: number) => {
					if (response.destroyed) return;
					if (from + size >= body.length) return void response.end(body.subarray(from));
					response.write(body.subarray(from, from + size));
					void clock.sleep(5000).then(() => next(from + size));
				};
				next(0);
			};
		});
		const ids = { documentId: items[0]?.json.id };
		const download = step('document.download', ids, { version: 'original' });
		setFlagsFromString('--expose_gc');
		const collect = runInNewContext('gc') as () => void;
		// A busy machine takes long for it, and what only takes long must not be given up.
		const collecting = advice === undefined ? undefined : setInterval(collect, 3000);
		const { error } = await runNode(credentialFor(service), download);
		clearInterval(collecting);
		await service.close();
		await useBinaryMode('default');
		if (advice === undefined) expect(error).toBeUndefined();
		else expect(error?.description).toContain(advice);
	});
});
