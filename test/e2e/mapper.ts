import type { Locator, Page } from 'playwright-core';

import { optionCalled } from './options';

export type InputKind = 'text' | 'number' | 'date' | 'dropdown';

/** One of n8n's resource mappers: an input for each column, or all of them mapped by name. */
export class Mapper {
	private readonly page: Page;

	constructor(private readonly container: Locator) {
		this.page = container.page();
	}

	async isShown(): Promise<boolean> {
		return await this.container.isVisible();
	}

	async mapAutomatically() {
		await this.container.getByTestId('mapping-mode-select').getByRole('combobox').click();
		await optionCalled(this.page, 'Map Automatically').click();
	}

	/** What each input is called, and what can be entered there. */
	async inputs(): Promise<Record<string, InputKind>> {
		const fields = this.container
			.getByTestId('mapping-fields-container')
			.locator('.parameter-item');
		await fields.first().waitFor();
		const inputs = (await fields.all()).map(async (field) => {
			const label = await field.locator('label span').first().innerText();
			return [label, await kindOf(field)] as const;
		});
		return Object.fromEntries(await Promise.all(inputs));
	}

	/** The choices of a dropdown. */
	async choices(column: string): Promise<string[]> {
		await this.input(column).click();
		const choices = await this.page.getByRole('option').allInnerTexts();
		await this.input(column).click();
		return choices;
	}

	async choose(column: string, choice: string) {
		await this.input(column).click();
		await optionCalled(this.page, choice).click();
	}

	async type(column: string, text: string) {
		const input = this.input(column).getByRole('textbox');
		await input.fill(text);
		await input.blur();
	}

	/** Waits for what the editor shows as its result: a little later than typed, n8n takes it. */
	async typeExpression(column: string, expression: string, result: string) {
		const label = this.container.locator(`label[for='value["${column}"]']`);
		await label.hover();
		await label.getByTestId('radio-button-expression').click();
		const input = this.input(column).getByRole('textbox');
		await input.click();
		// A number starts as {{ 0 }}; and key by key, n8n would close the brackets by itself.
		await this.page.keyboard.press('ControlOrMeta+a');
		await this.page.keyboard.insertText(expression);
		await input.blur();
		const preview = this.container.getByTestId(`parameter-expression-preview-${column}`);
		await preview.getByText(result, { exact: true }).waitFor();
	}

	/** Drags a field of the input items, as the panel on the left lists them, into the input of a column. */
	async drag(field: string, column: string) {
		const source = this.page.getByTestId('run-data-schema-item').getByText(field, { exact: true });
		const target = this.input(column);
		await target.scrollIntoViewIfNeeded();
		const to = await target.boundingBox();
		if (!to) throw new Error(`The input of "${column}" is not shown`);
		await source.hover();
		await this.page.mouse.down();
		// n8n takes the first movement as the start of dragging and the later ones as its course.
		await this.page.mouse.move(to.x + 20, to.y + 20, { steps: 10 });
		await this.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
		await this.page.mouse.up();
	}

	async refreshColumns() {
		const menu = this.container.getByTestId('columns-parameter-input-options-container');
		await menu.getByRole('button').click();
		await this.page.getByRole('menuitem', { name: /^Refresh/ }).click();
	}

	/** Waits until there is an input of this name. */
	async shows(label: string) {
		const fields = this.container.getByTestId('mapping-fields-container');
		await fields.getByText(label, { exact: true }).waitFor();
	}

	private input(column: string): Locator {
		return this.container.getByTestId(`parameter-input-${column}`);
	}
}

async function kindOf(field: Locator): Promise<InputKind> {
	if ((await field.getByRole('spinbutton').count()) > 0) return 'number';
	if ((await field.getByPlaceholder('Select date and time').count()) > 0) return 'date';
	return (await field.getByRole('combobox').count()) > 0 ? 'dropdown' : 'text';
}
