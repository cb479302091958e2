import type { Listed } from '../api/envelope';
import { escaped } from '../engine/nodeError';
import type { Planned } from '../engine/operation';
import { isFor, type NewDocument } from './newDocument';

/** How many items a hint lists. */
const LISTED_ITEMS = 10;

/** Lists the items whose existing document is for other people: with Skip, only the external ID decides. */
export function tellOtherRecipients(
	plans: Array<Planned<{ document: NewDocument; existing?: Listed }>>,
) {
	const context = plans[0]?.item.context;
	// Older versions of n8n have no hints.
	if (!context || !('addExecutionHints' in context)) return;
	const lines = plans.flatMap(({ item, plan: { document, existing } }) => {
		if (!existing || isFor(existing.recipients, document)) return [];
		const { id, recipients } = existing;
		const others = recipients.map(({ email }) => email).join(', ') || 'nobody';
		const line = `Item ${item.index}: ${id} is for ${others}, not for ${document.emails.join(', ')}`;
		return [escaped(line)];
	});
	if (lines.length === 0) return;
	const more = lines.length - LISTED_ITEMS;
	const message = [
		'For these items nothing was created: a document with the External ID exists already, but it is for other recipients. If the recipients of these items should get a document too, give the items another External ID.',
		...lines.slice(0, LISTED_ITEMS),
		...(more > 0 ? [`and ${more} more`] : []),
	].join('<br>');
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}
