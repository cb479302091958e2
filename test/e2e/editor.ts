import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, selectors, type Browser, type BrowserContext, type Page } from 'playwright-core';

import flags from '../../n8n-host/chromium-flags.json';
import { host } from './host';
import { NodePanel } from './nodePanel';
import { outcome } from './notice';

const actionTimeoutMs = 60_000;
const window = { width: 1280, height: 1400 };

selectors.setTestIdAttribute('data-test-id');

/** n8n's editor in the browser of its owner. */
export class Editor {
	constructor(readonly page: Page) {}

	async openWorkflow(id: string) {
		await this.page.goto(`${host.n8nUrl}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	async openNode(name: string): Promise<NodePanel> {
		await this.page.getByTestId('canvas-node').filter({ hasText: name }).dblclick();
		await this.page.getByTestId('node-parameters').waitFor();
		return new NodePanel(this.page);
	}

	/** The nodes that the node creator shows for these words. */
	async findNodes(words: string): Promise<string[]> {
		await this.page.getByTestId('node-creator-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').fill(words);
		const found = this.page.getByTestId('node-creator-item-name');
		// One of the categories, which are listed until the search is done.
		await found.getByText('Flow', { exact: true }).waitFor({ state: 'detached' });
		return await found.allInnerTexts();
	}

	/** Clicks "Execute workflow", and returns what the editor says at the end. */
	async execute(): Promise<string> {
		await this.page.getByTestId('execute-workflow-button').click();
		return await outcome(this.page);
	}

	/** What the workflow's menu downloads. */
	async download(): Promise<string> {
		const [file] = await Promise.all([
			this.page.waitForEvent('download'),
			this.#chooseInMenu('download'),
		]);
		return readFileSync(await file.path(), 'utf8');
	}

	/** Duplicates the workflow, and returns the copy's ID. */
	async duplicate(): Promise<string> {
		await this.#chooseInMenu('duplicate');
		const [copy] = await Promise.all([
			this.page.waitForEvent('popup'),
			this.page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click(),
		]);
		const [, id = ''] = /\/workflow\/(\w+)/.exec(copy.url()) ?? [];
		await copy.close();
		return id;
	}

	async #chooseInMenu(item: string) {
		await this.page.getByTestId('workflow-menu').click();
		await this.page.getByTestId(`workflow-menu-item-${item}`).click();
	}
}

/**
 * Gives each test an editor of its own. What it shows when the test fails is kept as a picture, under
 * the test's name.
 */
export function useEditor() {
	let browser: Browser;
	let context: BrowserContext;
	beforeAll(async () => {
		browser = await chromium.launch({
			executablePath: host.chromium,
			args: flags,
		});
		context = await browser.newContext({ viewport: window });
		context.setDefaultTimeout(actionTimeoutMs);
		const [name = '', value = ''] = host.n8nCookie.split('=');
		await context.addCookies([{ name, value, url: host.n8nUrl }]);
	});
	afterAll(async () => {
		await browser.close();
	});

	return (body: (editor: Editor) => Promise<void>) => async () => {
		const page = await context.newPage();
		try {
			await body(new Editor(page));
		} catch (error) {
			await page.screenshot({ path: join(host.pictures, `${slug()}.png`) });
			throw error;
		} finally {
			await page.close();
		}
	};
}

function slug(): string {
	const name = expect.getState().currentTestName ?? 'test';
	return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
