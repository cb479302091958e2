// Takes the README's pictures from the real n8n: node demo/pictures.mjs [path of chromium]
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { stopAll } from './children.mjs';
import { owner } from './n8n-host.mjs';
import { root } from './places.mjs';
import { choosePorts } from './ports.mjs';
import { step } from './progress.mjs';
import { setUpStage } from './stage.mjs';

const chromium = process.argv[2] ?? '/usr/bin/chromium';
const images = join(root, 'docs', 'images');
const window = { width: 1280, height: 760 };
/** Shows the prefilled fields of the node too. */
const tallWindow = { width: 1280, height: 1180 };
/** The editor moves panels and the canvas into place. */
const animationMs = 1500;

async function takePictures(stateDir) {
	const ports = await choosePorts({ n8n: undefined, emulator: undefined, inbox: undefined });
	const stage = await setUpStage({ stateDir, ports });
	const { chromium: browserType } = await import('playwright-core');
	const context = await browserType.launchPersistentContext(join(stateDir, 'browser'), {
		executablePath: chromium,
		viewport: window,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
	try {
		const page = await context.newPage();
		await logIn(page, stage.n8n.url);
		await step('Canvas after a run', () => canvas(page, stage));
		await step('Panel of the node', () => panel(page));
		await step('Signing page', () => signingPage(page, stage));
	} finally {
		await context.close();
	}
}

async function logIn(page, url) {
	await page.goto(`${url}/signin`);
	await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
	await page.locator('input[name="password"]').fill(owner.password);
	await page.keyboard.press('Enter');
	await page.waitForURL(/\/(home|workflow)/);
}

async function canvas(page, { n8n, workflows }) {
	await page.goto(`${n8n.url}/workflow/${workflows[0].id}`);
	await page.locator('[data-test-id="execute-workflow-button"]').click();
	const notice = page.getByRole('alert').filter({ hasText: 'Workflow executed successfully' });
	await notice.locator('.el-notification__closeBtn').click();
	await page.waitForTimeout(animationMs);
	await page.screenshot({ path: join(images, 'workflow.png') });
}

async function panel(page) {
	await page.setViewportSize(tallWindow);
	await page
		.locator('[data-test-id="canvas-node"]', { hasText: 'Create and send the agreement' })
		.dblclick({ position: { x: 48, y: 48 } });
	// Hovering over an output item would change what the inputs show.
	await page.mouse.move(1, 1);
	await page.waitForTimeout(animationMs);
	await page.screenshot({ path: join(images, 'node.png') });
}

async function signingPage(page, { emulator }) {
	const { documents } = await emulator.state();
	const { recipients } = documents.find(({ externalId }) => externalId === 'RA-2027-001');
	const tenant = recipients.find(({ signingOrder }) => signingOrder === 1);
	await page.setViewportSize(window);
	await page.goto(tenant.signingUrl);
	await page.waitForTimeout(animationMs);
	await page.screenshot({ path: join(images, 'signing-page.png') });
}

await mkdir(images, { recursive: true });
await mkdir(join(root, '.demo'), { recursive: true });
const stateDir = await mkdtemp(join(root, '.demo', 'pictures-'));
try {
	await takePictures(stateDir);
} finally {
	await stopAll();
	await rm(stateDir, { recursive: true });
}
process.exit();
