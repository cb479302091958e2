import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

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
				'Needed by the Documenso Trigger. Any text that is hard to guess; enter the same one in Documenso under Team Settings > Webhooks.',
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
	authenticate: IAuthenticate = async ({ apiToken }, request) => ({
		...request,
		headers: { ...request.headers, Authorization: apiToken },
	});

	test: ICredentialTestRequest = {
		request: {
			// Where it is no URL, nothing is sent.
			baseURL:
				'={{ /^https?:[/\\\\]*[^/\\\\?#]*@/i.test($credentials.baseUrl.trim()) ? "user or password in the base URL" : $credentials.baseUrl.trim().replace(/\\/*(\\/api\\/v2(-beta)?)?\\/*$/, "") + "/api/v2" }}',
			url: '/envelope',
			qs: { perPage: 1 },
			// A redirect would send the token to wherever it points.
			disableFollowRedirect: true,
		},
		rules: [
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'data',
					value: undefined,
					message: "This is not Documenso's API: check the base URL",
				},
			},
		],
	};
}
