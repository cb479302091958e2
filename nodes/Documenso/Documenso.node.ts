import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { credentialTest } from '../shared/n8n/credentialTest';
import { missing } from './engine/operation';
import { findOperation, toProperties } from './engine/resource';
import {
	searchDocuments,
	searchEnvelopes,
	searchFolders,
	searchTemplateNumbers,
	searchTemplates,
} from '../shared/pickers/envelopes';
import {
	getDocumentRecipients,
	getListedRecipients,
	getTemplateFiles,
	searchAttachments,
	searchFields,
	searchFiles,
	searchRecipients,
} from './pickers/parts';
import {
	getTemplateBlanks,
	getTemplateColumns,
	getTemplateRecipients,
} from './pickers/templateColumns';
import { resources } from './resources';
import { resume, resumeWebhooks } from '../shared/waiting/resume';

export class Documenso implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Documenso',
		name: 'documenso',
		icon: { light: 'file:../../icons/documenso.svg', dark: 'file:../../icons/documenso.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ ($parameter["operation"].replace("UntilSigned", "AndWait") + ": " + $parameter["resource"]).replace(/[A-Z]/g, (letter) => " " + letter.toLowerCase()) }}',
		description: 'Create, send, track and download documents for e-signature',
		defaults: { name: 'Documenso' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'documensoApi', required: true, testedBy: 'testDocumensoApi' }],
		webhooks: resumeWebhooks,
		waitingNodeTooltip: 'Waiting until everyone has signed',
		properties: toProperties(resources, 'document'),
		// For n8n's assistant and its MCP server, when they have found the node.
		builderHint: {
			searchHint:
				"To make and send a contract from each row of a spreadsheet, use parameters { resource: 'template', operation: 'createDocument', templateId: { __rl: true, mode: 'list', value: 'envelope_…' }, columns: { mappingMode: 'autoMapInputData', value: {} }, send: true }. Input fields named like the template's recipients and fields ('Tenant email', 'Tenant name', 'Rent') then need no mapping, and an input field 'External ID' makes it safe to run again. For other names, use mappingMode 'defineBelow' with value { 'Tenant email': expr('{{ $json.email }}') } and additionalFields.externalId. The names are those that the loadOptions method getTemplateBlanks returns for these parameters. Output: id, title, status, url, externalId, recipients. To try it without emailing anyone, set options.manualExecutionsSendTo to the user's address. To react to signatures, start another workflow with documensoTrigger and event DOCUMENT_COMPLETED. To remind people, use resource 'recipient' with operation 'getAll', then resource 'document' with operation 'resend'. The type definition of this node is long, because it has all operations, whichever you ask for.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-documenso.documensoTrigger',
					relationHint: 'Starts a workflow when a document is signed, completed or rejected',
				},
			],
		},
	};

	methods = {
		credentialTest,
		listSearch: {
			searchAttachments,
			searchDocuments,
			searchEnvelopes,
			searchFields,
			searchFiles,
			searchFolders,
			searchRecipients,
			searchTemplateNumbers,
			searchTemplates,
		},
		loadOptions: {
			getDocumentRecipients,
			getListedRecipients,
			getTemplateBlanks,
			getTemplateFiles,
			getTemplateRecipients,
		},
		resourceMapping: { getTemplateColumns },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0);
		const name = this.getNodeParameter('operation', 0);
		const operation = findOperation(resources, resource, name) ?? missing(name, resource);
		return [await operation.execute(this)];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resume(this);
	}
}
