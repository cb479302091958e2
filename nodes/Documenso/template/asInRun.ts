import type { IDataObject } from 'n8n-workflow';

import { asInRun } from '../creation/testRun';
import type { Item } from '../engine/item';
import type { Template } from './columns';
import { recipientOf, type FilledTemplate } from './fill';

/** The filled template as it is in this run: in a test, it names all recipients, because Documenso keeps the others. */
export function filledInRun(
	filled: FilledTemplate,
	template: Template,
	item: Item,
): FilledTemplate {
	if (item.execution.testAddress === undefined) return filled;
	const { content } = filled;
	// As `fill` has made them.
	const given = content.recipients as Array<ReturnType<typeof recipientOf>>;
	const { title, externalId, recipients } = asInRun(item, {
		...{ title: filled.title, externalId: filled.externalId },
		recipients: template.recipients.map(
			(one) => given.find(({ id }) => id === one.id) ?? recipientOf(one),
		),
	});
	return {
		...filled,
		...{ title, externalId, emails: recipients.map(({ email }) => email) },
		content: {
			...content,
			...{ externalId: externalId.value, recipients },
			override: { ...(content.override as IDataObject), title },
		},
	};
}
