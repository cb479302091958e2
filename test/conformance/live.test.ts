import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { effects, holds } from '../../conformance/live/effects';
import { tryAll } from '../../conformance/live/tryAll';
import type { Interceptor } from '../../emulator';
import type { Envelope } from '../../emulator/entities';
import { operations } from '../support/operations';
import { refusal } from '../support/refusal';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

describe('a Documenso that lies', () => {
	const root = join(__dirname, '..', '..');

	/** These read. Every other POST changes something. */
	const READS = ['POST /envelope/get-many', 'POST /embedding/verify-presign-token'];

	/** Claims success, with an ID that does not exist. */
	const claim: Interceptor = () => ({
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ success: true, id: 'envelope_invented', recipients: [] }),
	});

	/** Answers as Documenso does, which then has forgotten what it did. */
	const forget: Interceptor = async (asked) => {
		const { envelopes, folders } = suite.service.store;
		const saved = copyOf([...envelopes]);
		const savedFolders = copyOf([...folders]);
		const answer = await asked.pass();
		await suite.service.settled();
		envelopes.clear();
		folders.clear();
		for (const [id, one] of saved) envelopes.set(id, one);
		for (const [id, one] of savedFolders) folders.set(id, one);
		return answer;
	};

	/** Does what it is asked for, with other people, in another place and by email. */
	const alter: Interceptor = async (asked) => {
		const { envelopes } = suite.service.store;
		const before = new Set(envelopes.keys());
		const answer = await asked.pass();
		for (const [id, envelope] of envelopes) {
			if (before.has(id)) continue;
			Object.assign(envelope, { title: 'Other', folderId: null });
			for (const recipient of envelope.recipients) recipient.name = 'Somebody else';
			envelope.documentMeta.distributionMethod = 'EMAIL';
		}
		return answer;
	};

	function copyOf<Value>(value: Value): Value {
		if (Array.isArray(value)) return value.map(copyOf) as Value;
		if (typeof value !== 'object' || value === null) return value;
		if (Object.getPrototypeOf(value) !== Object.prototype) return value;
		const entries = Object.entries(value).map(([key, one]) => [key, copyOf<unknown>(one)]);
		return Object.fromEntries(entries) as Value;
	}

	/** A Documenso that lies about changes, and whose reads are true. */
	function startLiar(lie: Interceptor) {
		const liar = { isLying: false, told: 0 };
		suite.service.intercept('POST *', async (asked) => {
			if (!liar.isLying || READS.includes(asked.line)) return undefined;
			liar.told += 1;
			return await lie(asked);
		});
		return Object.assign(liar, { credential: credentialFor(suite.service) });
	}

	test.each([
		['claims success', claim, []],
		// It keeps no tokens: whoever has one has what its signature says.
		['forgets what it did', forget, ['embedToken.create']],
	])(
		'a Documenso that %s fails every operation that changes something',
		async (_, lie, unharmed) => {
			const liar = startLiar(lie);
			const changing: string[] = [];
			const { attempts } = await tryAll(liar.credential, new AbortController().signal, {
				begins: () => Object.assign(liar, { isLying: true, told: 0 }),
				ended: ({ operation }) => {
					if (liar.told > 0) changing.push(operation);
					liar.isLying = false;
				},
			});
			const failed = attempts.filter(({ error }) => error).map(({ operation }) => operation);
			expect(attempts).toHaveLength(operations.length);
			expect([...changing].sort()).toEqual(Object.keys(effects).sort());
			expect(failed).toEqual(changing.filter((id) => !unharmed.includes(id)));
		},
	);

	test('a Documenso that makes something else than it was asked for fails what makes documents', async () => {
		const liar = startLiar(alter);
		const { attempts } = await tryAll(liar.credential, new AbortController().signal, {
			begins: () => (liar.isLying = true),
			ended: () => (liar.isLying = false),
		});
		const failed = attempts.filter(({ error }) => error).map(({ operation }) => operation);
		expect(failed.sort()).toEqual([
			'document.create',
			'document.createAndSend',
			'document.createUntilSigned',
			'template.create',
			'template.createDocument',
			'template.createDocumentUntilSigned',
			'templateDeprecated.createDocument',
		]);
	});

	test('what is still there after it was deleted is left', async () => {
		const liar = startLiar(claim);
		const stopping = new AbortController();
		const { left } = await tryAll(liar.credential, stopping.signal, {
			ended: () => {
				stopping.abort();
				liar.isLying = true;
			},
		});
		expect(left).toEqual([
			expect.stringMatching(/^document envelope_\w+: Documenso has not deleted it$/),
			expect.stringMatching(/^folder \w+: Documenso has not deleted it$/),
			expect.stringMatching(/^folder \w+: Documenso has not deleted it$/),
		]);
	});

	test.each([
		['fails against a Documenso that lies', true, 1, 0],
		['succeeds against one that does not', false, 0, operations.length],
	])('npm run test:live %s', async (_, isLying, code, count) => {
		const liar = Object.assign(startLiar(claim), { isLying });
		const { baseUrl, apiToken } = liar.credential;
		// As a credential may have it.
		const address = { DOCUMENSO_BASE_URL: `${baseUrl}/api/v2/`, DOCUMENSO_API_TOKEN: apiToken };
		const env = { ...process.env, ...address };
		const args = ['--import', 'tsx', join(root, 'conformance', 'live', 'run.ts')];
		const ended = await new Promise<{ code: unknown; output: string }>((resolve) => {
			execFile(process.execPath, args, { cwd: root, env }, (error, output) => {
				resolve({ code: error?.code ?? 0, output });
			});
		});
		const summary = `\n${count} of ${operations.length} operations succeeded`;
		expect(ended).toEqual({ code, output: expect.stringContaining(summary) as string });
	});
});

/** Stops after the operation, if one is named. */
async function run(last?: string) {
	const stopping = new AbortController();
	return await tryAll(credentialFor(suite.service), stopping.signal, {
		ended: ({ operation }) => {
			if (operation === last) stopping.abort();
		},
	});
}

/** Finished documents stay in Documenso, with the date of their deletion. */
function titles(): string[] {
	const all: Envelope[] = [...suite.service.store.envelopes.values()];
	return all.filter(({ deletedAt }) => deletedAt === null).map(({ title }) => title);
}

test('every operation succeeds, without an email, and afterwards there is what was there before', async () => {
	const before = titles();
	const { attempts, left } = await run();
	expect(attempts.filter(({ error }) => error)).toEqual([]);
	expect(attempts.map(({ operation }) => operation)).toEqual(operations.map(({ id }) => id));
	expect(left).toEqual([]);
	expect(titles()).toEqual(before);
	const { envelopes, folders } = suite.service.store;
	expect(folders.size).toBe(0);
	// Documenso says it of those who have rejected, too.
	const asked = [...envelopes.values()]
		.flatMap((envelope) => envelope.recipients)
		.filter(({ role, signingStatus }) => role !== 'CC' && signingStatus !== 'REJECTED');
	expect(asked.filter(({ sendStatus }) => sendStatus === 'SENT')).toEqual([]);

	const lists = suite.service.calls.filter(({ method, path }) =>
		['GET /envelope', 'GET /template'].includes(`${method} ${path}`),
	);
	expect(lists.length).toBeGreaterThan(0);
	// Only in the folders of the run, for the name of the run, or from its template.
	for (const { query } of lists) {
		expect(query.folderId ?? query.parentId ?? query.query ?? query.templateId).toBeTruthy();
	}
});

test('an operation that fails is told with its reason, and everything is still deleted', async () => {
	const before = titles();
	suite.service.fail({ match: 'POST /envelope/cancel', ...refusal('No') });
	const { attempts, left } = await run('document.cancel');
	const error = expect.stringContaining('No') as string;
	expect(attempts.filter((outcome) => outcome.error)).toEqual([
		expect.objectContaining({ operation: 'document.cancel', error }),
	]);
	expect(left).toEqual([]);
	expect(titles()).toEqual(before);
});

test('an interrupted run tries no more operations, and deletes what it has made', async () => {
	const before = titles();
	const { attempts, left } = await run('document.create');
	expect(attempts.at(-1)?.operation).toBe('document.create');
	expect(left).toEqual([]);
	expect(titles()).toEqual(before);
});

test('what cannot be deleted is listed', async () => {
	suite.service.fail({ match: 'POST /envelope/delete', ...refusal('No'), times: 9 });
	const { left } = await run('document.createAndSend');
	expect(left.length).toBeGreaterThan(0);
	for (const one of left) expect(one).toMatch(/^document envelope_.*No/);
});

test('a wrong token is told once, and nothing is tried', async () => {
	const credential = credentialFor(suite.service, { apiToken: 'api_wrong' });
	const { attempts } = await tryAll(credential, new AbortController().signal);
	expect(attempts).toHaveLength(1);
	expect(attempts[0]?.error).toContain('token');
});

test('a part is deleted only if what it was in is still there', () => {
	const effect = effects['attachment.delete'];
	if (!effect) throw new Error('It has no effect');
	const tried = { parameters: { attachmentId: 'a' }, output: {}, folder: '' } as never;
	const after = [{ data: [] }, { data: [{ id: 'a' }] }, undefined];
	expect(after.map((seen) => holds(effect, tried, seen))).toEqual([true, false, false]);
});
