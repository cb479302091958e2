import type { INodeProperties } from 'n8n-workflow';

export const includeSigningLinks: INodeProperties = {
	displayName: 'Include Signing Links',
	name: 'includeSigningLinks',
	type: 'boolean',
	default: false,
	description:
		"Whether to add the link to each recipient's signing page. Who has such a link can sign.",
};
