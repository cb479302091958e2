import { refusal } from '../../support/refusal';
import type { Envelope } from '../../../emulator/entities';
import { operations } from '../../support/operations';
import { credentialFor } from '../../support/service';
import { useService } from '../../support/suite';
import { tryAll } from '../../../conformance/live/tryAll';

const suite = useService({ seed: 'demo' });

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
	const recipients = [...envelopes.values()].flatMap((envelope) => envelope.recipients);
	expect(
		recipients.filter(({ role, sendStatus }) => role !== 'CC' && sendStatus === 'SENT'),
	).toEqual([]);

	const lists = suite.service.calls.filter(({ method, path }) =>
		['GET /envelope', 'GET /template', 'GET /folder'].includes(`${method} ${path}`),
	);
	expect(lists.length).toBeGreaterThan(0);
	// Only in the folders of the run, or for the name of the run.
	for (const { query } of lists) {
		expect(query.folderId ?? query.parentId ?? query.query).toBeTruthy();
	}
});

test('an operation that fails is told with its reason, and everything is still deleted', async () => {
	const before = titles();
	suite.service.fail({ match: 'POST /envelope/cancel', ...refusal('No') });
	const { attempts, left } = await run('document.create');
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
	const { left } = await run('attachment.create');
	expect(left).toEqual([expect.stringMatching(/^document envelope_.*No/)]);
});

test('a wrong token is told once, and nothing is tried', async () => {
	const credential = credentialFor(suite.service, { apiToken: 'api_wrong' });
	const { attempts } = await tryAll(credential, new AbortController().signal);
	expect(attempts).toHaveLength(1);
	expect(attempts[0]?.error).toContain('token');
});
