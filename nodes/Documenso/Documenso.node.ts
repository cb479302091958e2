import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import * as envelopes from './listSearch/envelopes';
import { searchFolders } from './listSearch/folders';
import { searchAttachments, searchFields, searchFiles, searchRecipients } from './listSearch/parts';
import * as parts from './loadOptions/parts';
import { getListedRecipients } from './loadOptions/recipients';
import { missing } from './operation';
import { findOperation, toProperties } from './resource';
import * as resourceMapping from './resourceMapping/template';
import { resources } from './resources';

export class Documenso implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Documenso',
		name: 'documenso',
		icon: { light: 'file:../../icons/documenso.svg', dark: 'file:../../icons/documenso.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Create, send, follow and file documents for e-signature',
		defaults: { name: 'Documenso' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'documensoApi', required: true }],
		properties: toProperties(resources, 'document'),
	};

	methods = {
		listSearch: {
			...envelopes,
			searchAttachments,
			searchFields,
			searchFiles,
			searchFolders,
			searchRecipients,
		},
		loadOptions: { ...parts, getListedRecipients },
		resourceMapping,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0);
		const name = this.getNodeParameter('operation', 0);
		const operation = findOperation(resources, resource, name) ?? missing(name, resource);
		return [await operation.execute({ context: this, continueOnFail: this.continueOnFail() })];
	}
}
