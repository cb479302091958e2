import type { Envelope } from '../entities';
import { createDirectLink, deleteDirectLink, toggleDirectLink } from '../envelopes/directLinks';
import { getByNumber } from '../envelopes/legacyFind';
import { formatLegacyDirectLink } from '../envelopes/legacyFormat';
import type { Caller } from '../http/auth';
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
			assertMember(template, caller);
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

/** The service counts the links of the template's team, which fails for who only sees what its address has sent. */
function assertMember({ team, user }: Envelope, caller: Caller): void {
	if (team.id === caller.team.id || user.id === caller.user.id) return;
	throw new Error('An error occurred while fetching your user account');
}
