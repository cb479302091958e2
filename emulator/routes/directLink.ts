import { createDirectLink, deleteDirectLink, toggleDirectLink } from '../envelopes/directLinks';
import { getByNumber } from '../envelopes/legacyFind';
import { formatLegacyDirectLink } from '../envelopes/legacyFormat';
import { procedure } from '../http/route';
import * as schemas from '../schemas/directLinks';
import { templateIdOnly } from '../schemas/legacy';

export const directLinkRoutes = [
	procedure({
		method: 'POST',
		path: '/template/direct/create',
		operation: 'template.createTemplateDirectLink',
		input: schemas.createDirectLink,
		answer: (instance, caller, { templateId, directRecipientId }) => {
			const template = getByNumber(instance, caller, 'TEMPLATE', templateId);
			return formatLegacyDirectLink(
				template,
				// Zero, and what becomes zero, counts as not given.
				createDirectLink(instance, template, directRecipientId || undefined),
			);
		},
	}),
	procedure({
		method: 'POST',
		path: '/template/direct/toggle',
		operation: 'template.toggleTemplateDirectLink',
		input: schemas.toggleDirectLink,
		answer: (instance, caller, { templateId, enabled }) => {
			const template = getByNumber(instance, caller, 'TEMPLATE', templateId);
			return formatLegacyDirectLink(template, toggleDirectLink(template, enabled));
		},
	}),
	procedure({
		method: 'POST',
		path: '/template/direct/delete',
		operation: 'template.deleteTemplateDirectLink',
		input: templateIdOnly,
		answer: (instance, caller, { templateId }) => {
			deleteDirectLink(getByNumber(instance, caller, 'TEMPLATE', templateId));
			return { success: true };
		},
	}),
];
