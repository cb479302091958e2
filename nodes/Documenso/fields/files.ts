import type { INodeProperties } from 'n8n-workflow';

export const inputFiles: INodeProperties = {
	displayName: 'Input Binary Field(s)',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the input binary field containing the PDF, or several names separated by commas',
	description: 'The PDFs that make up the document, in this order',
};

export const outputFile: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
};
