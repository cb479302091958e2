import type { INodeProperties } from 'n8n-workflow';

import type { Params } from '../../params';
import { numericId } from '../../engine/values';

const notice: INodeProperties = {
	displayName:
		'Documenso removes this on <b>1 March 2027</b>. Use the resource <b>Template</b> instead: it does the same, and more.',
	name: 'deprecationNotice',
	type: 'notice',
	default: '',
};

const templateNumber: INodeProperties = {
	displayName: 'Template Number',
	name: 'templateNumber',
	type: 'number',
	typeOptions: { minValue: 1 },
	required: true,
	default: 1,
	description: 'The number of the template, as older versions of the API know it',
};

export const deprecated = [notice];
export const ofTemplate = [notice, templateNumber];

export function templateNumberOf(params: Params): number {
	return params.value('templateNumber', numericId);
}
