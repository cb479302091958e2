import type { Page } from 'playwright-core';

/** What the editor says at the end of an execution; it shows other notices too. */
export async function outcome(page: Page): Promise<string> {
	const notice = page.getByRole('alert').filter({ hasText: /executed successfully|Problem/ });
	return await notice.innerText();
}
