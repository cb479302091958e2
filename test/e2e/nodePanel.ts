import type { Locator, Page } from 'playwright-core';

import { Mapper } from './mapper';
import { outcome } from './notice';
import { optionCalled } from './options';

/** The panel of an open node: its parameters in the middle, its input and output beside them. */
export class NodePanel {
	constructor(private readonly page: Page) {}

	async choose(parameter: string, option: string) {
		await this.input(parameter).click();
		await optionCalled(this.page, option).click();
	}

	/** Chooses from the list that the service is asked for. */
	async pick(parameter: string, item: string) {
		await this.input(parameter).getByTestId('rlc-input').click();
		await this.page.getByTestId('rlc-item').getByText(item, { exact: true }).click();
	}

	get mapper(): Mapper {
		return new Mapper(this.page.getByTestId('resource-mapper-container'));
	}

	/** Clicks "Execute step", and returns what the editor says at the end. */
	async execute(): Promise<string> {
		await this.page.getByTestId('node-execute-button').first().click();
		return await outcome(this.page);
	}

	async output(): Promise<string> {
		return await this.page.getByTestId('output-panel').getByRole('table').innerText();
	}

	/** The error in the place of the output. */
	async error() {
		const message = await this.page.getByTestId('node-error-message').innerText();
		const description = await this.page.getByTestId('node-error-description').innerText();
		return { message, description };
	}

	/** Whether the editor says that the parameters have changed since the output was made. */
	async isOutdated(): Promise<boolean> {
		await this.page.getByTestId('output-panel').getByRole('table').waitFor();
		return await this.page.getByTestId('node-run-info-stale').isVisible();
	}

	async close() {
		await this.page.getByTestId('ndv-close-button').click();
	}

	private input(parameter: string): Locator {
		return this.page.getByTestId(`parameter-input-${parameter}`);
	}
}
