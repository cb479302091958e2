import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

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
	authenticate: IAuthenticate = async ({ apiToken }, request) => ({
		...request,
		headers: { ...request.headers, Authorization: apiToken },
	});
}
