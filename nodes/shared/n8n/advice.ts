import type { FailureFacts, Outcome } from '../api/failure';
import { MAX_WAIT_SECONDS } from '../api/retry';

const ELSEWHERE_ADVICE =
	'Check the base URL: it is the address at which you open Documenso in a browser, for example https://app.documenso.com. If it is right, a proxy, a firewall or a login page in front of Documenso has answered instead.';
const UNREADABLE_ADVICE =
	"Documenso's API does not answer like this: check the base URL, and whether a proxy or a login page stands in front of Documenso.";
const REFUSED_ADVICE = 'Correct what the message names, in this node or in Documenso.';
const UNAVAILABLE_ADVICE = 'Wait until Documenso, or the proxy in front of it, works again.';

const CERTIFICATE_ADVICE =
	"n8n does not trust the certificate of this Documenso. Ask whoever runs n8n to add the certificate's authority with NODE_EXTRA_CA_CERTS.";

/** What a user can do: by Documenso's code, or else by the status. */
const ADVICE: ReadonlyMap<string, string> = new Map(
	Object.entries({
		DOCUMENT_SEND_FAILED:
			'The document was created but not sent: correct the draft in Documenso, and send it.',
		ENVELOPE_ITEM_LIMIT_EXCEEDED:
			'Send fewer files in one document, or raise the limit of the plan.',
		EXPIRED_CODE: 'Create a new API token in Documenso and put it into the credential.',
		INVALID_DOCUMENT_FILE:
			'Use a PDF that opens in a PDF reader and has no password or restriction: Documenso also refuses a PDF whose owner password only prevents printing or editing. Save it without protection.',
		LIMIT_EXCEEDED:
			'The plan allows no more documents this month: raise its limit, or wait until next month.',
		MISSING_SIGNATURE_FIELD: 'Give every signer at least one signature field.',
		RECIPIENT_LIMIT_EXCEEDED: 'Send to fewer recipients, or raise the limit of the plan.',
		UNSUPPORTED_FILE_TYPE: 'Use a PDF: convert the file before this step.',
		DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE_ADVICE,
		ERR_CANCELED:
			'The request took too long: five minutes in all, or an hour if it has a file in it. Check the proxy and the line between n8n and Documenso.',
		ECONNREFUSED:
			"Nothing answers at this address: check the credential's base URL, and that Documenso is running. In a Docker container, localhost is the container itself.",
		ENOTFOUND: "There is no server of this name: check the spelling of the credential's base URL.",
		SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE_ADVICE,
		UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE_ADVICE,
		'401':
			'Check in the credential that the whole API token was pasted and that the base URL is right. A token belongs to one team, and its user must be allowed to do this.',
		'403': 'Check that the user of the API token may do this in Documenso.',
		'404':
			"Check the ID: perhaps what it names was deleted, or belongs to another team than the credential's token. If no ID is found at all, check the base URL.",
		'413':
			'The file is larger than this Documenso accepts (50 MB by default). Make it smaller, or ask the administrator of Documenso to raise the limit.',
		'500': 'If the message names nothing that you can change, try again later.',
		'502': UNAVAILABLE_ADVICE,
		'503': UNAVAILABLE_ADVICE,
		'504': UNAVAILABLE_ADVICE,
	}),
);

/** The 401 for what an organisation's plan does not include (documenso-api.md: Status codes). */
const NOT_IN_PLAN = /permission to set the action auth/i;
const PLAN_ADVICE =
	"The plan of the organisation does not include this setting. Remove the recipient's authentication here, or change the plan. The token is right.";

/** What a user has to expect after a change that failed, unless a step knows more. */
export const CAUTION: Readonly<Partial<Record<Outcome, string>>> = {
	failed: 'Documenso may have done a part of it. Check in Documenso before you run it again.',
	unknown: 'Documenso may have done it nevertheless. Check in Documenso before you run it again.',
};

/** What a user can do about a failure of the API; empty if its message says it. */
export function adviceFor(facts: FailureFacts): string {
	const { message, status, code, retryAfter, source, outcome, advice } = facts;
	if (advice) return advice;
	if (status === 401 && NOT_IN_PLAN.test(message)) return PLAN_ADVICE;
	if (source === 'elsewhere') return ELSEWHERE_ADVICE;
	if (status === 429 && retryAfter !== undefined) {
		return `The rate limit was reached, and the node waits at most ${MAX_WAIT_SECONDS} seconds for each request. Run it again later, or with fewer items at a time.`;
	}
	const known = ADVICE.get(code ?? '') ?? ADVICE.get(String(status));
	if (known) return known;
	if (source === 'unreadable') return UNREADABLE_ADVICE;
	if (status === undefined && outcome !== 'unknown') {
		return "Check the credential's base URL and that n8n can reach it, then run again.";
	}
	return source === 'documenso' && status === 400 ? REFUSED_ADVICE : '';
}
