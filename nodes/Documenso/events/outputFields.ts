import { flag } from '../engine/input';

export const includeSigningLinks = flag('Include Signing Links', false, {
	description:
		"Whether to add the link to each recipient's signing page. Who has such a link can sign.",
});
