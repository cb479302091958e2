// Tries every operation against a real Documenso: npm run test:live
import '../../test/support/environment';

import { operations } from '../../test/support/operations';
import { tryAll, type Attempt } from './tryAll';

const columns = {
	operation: ({ operation }: Attempt) => operation,
	outcome: ({ error }: Attempt) => (error ? 'failed' : 'ok'),
	ms: ({ milliseconds }: Attempt) => milliseconds,
	error: ({ error = '' }: Attempt) => error,
};

async function main(): Promise<number> {
	const { table } = await import('../../n8n-host/table.mjs');
	const { DOCUMENSO_BASE_URL: baseUrl, DOCUMENSO_API_TOKEN: apiToken } = process.env;
	if (!baseUrl || !apiToken) {
		console.error(
			'Set DOCUMENSO_BASE_URL and DOCUMENSO_API_TOKEN. What is made with the token is deleted in the end, and nothing else is touched.',
		);
		return 2;
	}
	const stopping = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			console.error('Stopping after this operation, and cleaning up …');
			stopping.abort();
		});
	}
	const credential = { baseUrl, apiToken, webhookSecret: '', webhookHeader: '' };
	const { attempts, left } = await tryAll(credential, stopping.signal, {
		ended: ({ operation, error }) => console.error(`${error ? '✗' : '✓'} ${operation}`),
	});
	const failed = attempts.filter(({ error }) => error);
	console.log(table(columns, attempts));
	const succeeded = attempts.length - failed.length;
	const untried = operations.length - attempts.length;
	const rest = untried > 0 ? `, ${untried} were not tried` : '';
	console.log(`\n${succeeded} of ${operations.length} operations succeeded${rest}`);
	if (left.length > 0) console.error(`\nThis could not be deleted:\n${left.join('\n')}`);
	return failed.length > 0 || left.length > 0 || stopping.signal.aborted ? 1 : 0;
}

void main().then((code) => process.exit(code));
