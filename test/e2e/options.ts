import type { Locator, Page } from 'playwright-core';

/** A choice of the dropdown that is open. Its own name, since a description may stand below it. */
export function optionCalled(page: Page, name: string): Locator {
	return page.getByRole('option').filter({ has: page.getByText(name, { exact: true }) });
}
