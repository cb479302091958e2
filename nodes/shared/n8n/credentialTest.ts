import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { apiRoot, siteOf } from '../api/baseUrl';
import { pageSchema } from '../api/envelope';
import type { Answer, Credential } from '../api/exchange';
import { answerFailure, connectionFailure, elsewhereFailure } from '../api/failedRequest';
import { hasStatus } from '../api/failure';
import { maskOf, type Mask } from '../api/mask';
import { textFor } from './nodeError';
import { Refusal } from './refusal';

/** Milliseconds: somebody waits for it in the editor. */
const TIMEOUT_MS = 30_000;

/** Statuses with which Documenso refuses a list: a bad token, an expired one, one without rights, or too many requests. */
const REFUSALS = [400, 401, 403, 429];

/** What n8n calls to test a credential. Every node has it, because n8n asks whichever it finds first. */
export const credentialTest = {
	async testDocumensoApi(
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		try {
			await listOne(this, data);
			return { status: 'OK', message: 'Connection successful' };
		} catch (caught) {
			return { status: 'Error', message: textFor(caught) };
		}
	},
};

/** Lists one document. Throws a Refusal or an ApiFailure if that does not succeed. */
async function listOne(
	context: ICredentialTestFunctions,
	{ baseUrl = '', apiToken = '' }: Credential,
) {
	const { site, url } = siteOf(baseUrl);
	if (apiToken.trim() === '') throw new Refusal("'API Token' is empty", NEW_TOKEN);
	const mask = maskOf(apiToken);
	let answer: Answer;
	try {
		// n8n has no other helper here. Its shape follows from the options.
		answer = (await context.helpers.request({
			method: 'GET',
			uri: `${apiRoot(site)}/envelope`,
			qs: { perPage: 1 },
			headers: { Authorization: apiToken },
			json: true,
			timeout: TIMEOUT_MS,
			// A redirect would send the token to wherever it points.
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
		})) as Answer;
	} catch (caught) {
		throw connectionFailure(caught, true, url.host, mask);
	}
	checkAnswer(answer, mask);
}

const NEW_TOKEN =
	'Create one in Documenso under Team Settings > API Tokens, and paste it into the credential.';

function checkAnswer({ statusCode: status, headers, body }: Answer, mask: Mask) {
	if (status === 200 && pageSchema.safeParse(body).success) return;
	const answer = {
		asked: 'GET /envelope',
		isRead: true,
		status,
		body,
		location: status < 400 ? headers.location : undefined,
		waited: 0,
		mask,
	};
	const failure = answerFailure(answer);
	const isDocumensos = REFUSALS.includes(status) || status >= 500 || answer.location;
	if (!isDocumensos) throw elsewhereFailure(answer);
	const isRefused = hasStatus(failure, 401) && failure.facts.source === 'documenso';
	throw isRefused
		? failure.withAdvice('Documenso does not accept the API token', BAD_TOKEN)
		: failure;
}

const BAD_TOKEN =
	'Check that the whole token was pasted, and that it was created in the Documenso at this base URL. If it was deleted, create another one under Team Settings > API Tokens.';
