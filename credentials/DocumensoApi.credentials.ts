import {
	UserError,
	type IAuthenticate,
	type Icon,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';

import { siteOf } from '../nodes/shared/api/baseUrl';

/** For both of n8n's HTTP helpers: wherever a redirect leads, n8n 2.4 sends the token along. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * The nodes test it (`testedBy`). With a `test` here, n8n would ignore theirs, and could say no more than "Not Found" or
 * "ECONNREFUSED".
 */
export class DocumensoApi implements ICredentialType {
	name = 'documensoApi';

	displayName = 'Documenso API';

	icon: Icon = {
		light: 'file:../icons/documenso.svg',
		dark: 'file:../icons/documenso.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-documenso/n8n-nodes-documenso#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://app.documenso.com',
			description: 'The address of your Documenso; change it if you host Documenso yourself',
		},
		{
			displayName: 'API Token',
			name: 'apiToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			placeholder: 'api_…',
			description:
				'Create one in Documenso under Team Settings > API Tokens. It acts for that team only.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Needed by the Documenso Trigger, unless its Registration is Automatic. Any text that is hard to guess; enter the same one in Documenso under Team Settings > Webhooks.',
		},
		{
			displayName: 'Webhook Secret Header',
			name: 'webhookHeader',
			type: 'string',
			default: '',
			placeholder: 'X-Documenso-Secret',
			description:
				'The header that contains the secret. Leave empty unless your Documenso uses a header of a different name.',
		},
	];

	/**
	 * A function, because n8n evaluates an expression again for every request, and n8n 2.40 cannot evaluate a credential's
	 * expression at all in a workflow that combines binary data with the JSON.
	 */
	authenticate: IAuthenticate = async ({ baseUrl, apiToken }, request) => {
		assertStays(request, siteOf(typeof baseUrl === 'string' ? baseUrl : '').url.origin);
		const headers = { ...request.headers, Authorization: apiToken };
		return { ...request, ...NO_REDIRECTS, headers };
	};
}

/**
 * Throws if a request would show the token to anyone else. In n8n's HTTP Request node, whoever may use the credential
 * chooses the address, and need not be allowed to read the token.
 */
function assertStays(request: IHttpRequestOptions, origin: string) {
	if (!goesTo(origin, request)) {
		throw new UserError(
			`The Documenso credential sends its API token only to ${origin}, the base URL. Change the URL of the request, or use another credential.`,
		);
	}
	const hasHost = Object.keys(request.headers ?? {}).some((name) => /^host$/i.test(name));
	if (request.proxy || hasHost) {
		throw new UserError(
			'The Documenso credential sends its API token straight to the base URL. Remove the proxy and the header Host from the request.',
		);
	}
}

/** Where n8n's helpers send a request: the older one takes `uri`, too, and a URL may be an object. */
interface Addresses {
	url?: string | URL;
	uri?: string | URL;
	baseURL?: string | URL;
}

function goesTo(origin: string, { url, uri, baseURL }: Addresses): boolean {
	const given = [url, uri, baseURL].filter(Boolean).map(String);
	const base = baseURL ? String(baseURL) : undefined;
	return (
		given.length > 0 &&
		given.every((one) => URL.canParse(one, base) && new URL(one, base).origin === origin)
	);
}
