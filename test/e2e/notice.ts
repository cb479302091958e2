import type { Page } from 'playwright-core';

/** For a single step n8n says now one and now the other. */
export const succeeded = /^(Node|Workflow) executed successfully/;

/** What the editor says at the end of an execution; it shows other notices too. */
export async function outcome(page: Page): Promise<string> {
	const notice = page.getByRole('alert').filter({ hasText: /executed successfully|Problem/ });
	return await notice.innerText();
}
