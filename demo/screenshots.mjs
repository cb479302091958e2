// Takes the screenshots of the documentation in a real n8n:
// node demo/screenshots.mjs [path of chromium] [part of the names of the pictures to take, such as preview]
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { stopAll } from '../n8n-host/children.mjs';
import { formUrl } from './examples.mjs';
import { examples, root } from '../n8n-host/paths.mjs';
import {
	changedBySigner,
	compared,
	corrected,
	inputs,
	misspelt,
	mistaken,
	newEmployee,
	previewed,
	rows,
	unsent,
} from './pictured.mjs';
import { readRows } from './once.mjs';
import { panelsBeside } from './panels.mjs';
import { choosePorts } from '../n8n-host/ports.mjs';
import { step } from '../n8n-host/progress.mjs';
import { setUpDemo } from './setup.mjs';

const flags = createRequire(import.meta.url)('../n8n-host/chromium-flags.json');
const [chromium = '/usr/bin/chromium', wanted = ''] = process.argv.slice(2);
const images = join(root, 'docs', 'images');
const window = { width: 1280, height: 760 };
/** Tall enough for all inputs that are filled in. */
const panelWindow = { width: 1500, height: 1020 };
const tallPanelWindow = { width: 1500, height: 1444 };
/** Tall enough for the workflow below the head of the execution. */
const executionWindow = { width: 1500, height: 980 };
const galleryWindow = { width: 1400, height: 700 };
const fillingNode = 'Create and send the agreement';
/** How long the editor animates panels and the canvas. */
const animationMs = 1500;

async function takeScreenshots(stateDir) {
	const ports = await choosePorts({ n8n: undefined, documenso: undefined, inbox: undefined });
	const demo = await setUpDemo({ stateDir, ports });
	const { chromium: browserType, selectors } = await import('playwright-core');
	selectors.setTestIdAttribute('data-test-id');
	const context = await browserType.launchPersistentContext(join(stateDir, 'browser'), {
		executablePath: chromium,
		viewport: window,
		args: flags,
	});
	try {
		const page = await context.newPage();
		await page.goto(demo.n8n.signInUrl('/home/workflows'));
		await page.waitForURL(`${demo.n8n.url}/home/workflows`);
		for (const [names, take] of await pictures()) {
			if (!names.includes(wanted)) continue;
			await step(names, () => take(page, demo));
		}
	} finally {
		await context.close();
	}
}

/** In their order: those that need what another has done in the browser are taken together with it. */
async function pictures() {
	const files = (await readdir(examples)).filter((name) => name.endsWith('.json'));
	return [
		['workflow.png, map-automatically.png, signing-page.png', spreadsheetToSigningPage],
		['node.png', mappedOneByOne],
		['waiting.png', waitingExecution],
		['bulk-error.png', (...where) => rowsWithMistakes(...where, mistaken, 'bulk-error.png')],
		[
			'misspelt-column.png',
			(...where) => rowsWithMistakes(...where, misspelt, 'misspelt-column.png'),
		],
		['preview.png', preview],
		['check.png, check-sheet.png, check-message.png', checked],
		['trigger.png', triggerPanel],
		['credential.png', credential],
		['panels.png', (...where) => panelsBeside(...where, join(images, 'panels.png'))],
		...files.map((file) => {
			const name = `${basename(file, '.json')}.png`;
			return [`examples/${name}`, (...where) => example(...where, file, name)];
		}),
	];
}

async function spreadsheetToSigningPage(page, demo) {
	await canvas(page, demo);
	await mappedAutomatically(page);
	await signingPage(demo);
}

async function canvas(page, { n8n, workflows }) {
	await page.setViewportSize(window);
	await page.goto(`${n8n.url}/workflow/${workflows[0].id}`);
	// Opening the panel stores the template's columns in the node; after a run, the output would count as outdated.
	await openPanel(page);
	await page.getByTestId('ndv-close-button').click();
	// Deselects the node.
	await page.mouse.click(640, 120);
	await page.getByTestId('execute-workflow-button').click();
	await success(page);
	await shoot(page, 'workflow.png');
}

async function mappedAutomatically(page) {
	await page.setViewportSize(panelWindow);
	await openPanel(page);
	await widenOutput(page);
	await shoot(page, 'map-automatically.png');
}

async function mappedOneByOne(page, { n8n, workflows }) {
	const { id } = await n8n.rest.request('POST', '/workflows', withOtherColumns(workflows[0]));
	await page.setViewportSize(tallPanelWindow);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openPanel(page);
	for (const [column, input] of Object.entries(inputs)) await map(page, column, input);
	// The editor stores typed text after a moment; after a run, the output would count as outdated.
	await page.waitForTimeout(animationMs);
	await page.getByTestId('node-execute-button').first().click();
	await success(page);
	await page.getByTestId('parameter-input-Payment').hover();
	await page.mouse.wheel(0, -5000);
	await page.waitForTimeout(animationMs);
	// Scrolls past the credential and the resource.
	await page.mouse.wheel(0, 132);
	await shoot(page, 'node.png');
}

/** The same workflow for a spreadsheet whose columns have other names than the template's. */
function withOtherColumns({ name, nodes, connections, settings }) {
	const manual = { mappingMode: 'defineBelow', value: null };
	const parameters = { columns: manual, title: '' };
	const changed = nodes.map((node) =>
		node.name === fillingNode
			? { ...node, parameters: { ...node.parameters, ...parameters } }
			: node,
	);
	const pinData = { 'Make an item of each row': rows.map((json) => ({ json })) };
	return { name, nodes: changed, connections, settings, pinData };
}

async function openPanel(page, node = fillingNode) {
	await page
		.getByTestId('canvas-node')
		.filter({ hasText: node })
		.dblclick({ position: { x: 48, y: 48 } });
	await page.getByTestId('mapping-mode-select').last().waitFor();
	await page.waitForTimeout(animationMs);
}

/** Gives the output room up to this place, because its texts are long. n8n remembers the width. */
async function widenOutput(page, left = 586) {
	const handle = await page.getByTestId('panel-drag-button').boundingBox();
	const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
	await page.mouse.move(x, y);
	await page.mouse.down();
	await page.mouse.move(left, y, { steps: 10 });
	await page.mouse.up();
}

async function map(page, column, input) {
	const label = page.locator(`label[for='value["${column}"]']`);
	await label.hover();
	await label.getByTestId('radio-button-expression').click();
	await page.getByTestId(`parameter-input-${column}`).getByRole('textbox').click();
	// For a number, n8n's expression starts as 0.
	await page.keyboard.press('ControlOrMeta+A');
	// If it were typed key by key, n8n's editor would close the brackets itself.
	await page.keyboard.insertText(`{{ $json.${input} }}`);
}

/** Waits for the editor's success notice, and closes it. */
async function success(page) {
	const notice = page.getByRole('alert').filter({ hasText: /executed successfully/ });
	await notice.locator('.el-notification__closeBtn').click();
}

async function shoot(page, name) {
	// While the mouse is over an output item, the inputs show the values of that item.
	await page.mouse.move(1, 1);
	await page.waitForTimeout(animationMs);
	await page.screenshot({ path: join(images, name) });
}

/** In a browser with scroll bars, as people have it: they take room from the PDF. */
async function signingPage({ emulator }) {
	const { documents } = await emulator.state();
	const { recipients } = documents.find(({ externalId }) => externalId === 'RA-2027-001');
	const tenant = recipients.find(({ signingOrder }) => signingOrder === 1);
	const { chromium: browserType } = await import('playwright-core');
	const browser = await browserType.launch({
		executablePath: chromium,
		args: flags,
		ignoreDefaultArgs: ['--hide-scrollbars'],
	});
	try {
		const page = await browser.newPage({ viewport: window });
		await page.goto(tenant.signingUrl);
		await shoot(page, 'signing-page.png');
	} finally {
		await browser.close();
	}
}

async function waitingExecution(page, { n8n, workflows }) {
	const name = 'Contract, then onboarding';
	const { id } = workflows.find((workflow) => workflow.name === name);
	await n8n.rest.publish(id);
	const url = formUrl(workflows, name, n8n.url);
	// n8n opens the form a moment after it has published the workflow.
	while (!(await page.goto(url)).ok()) await setTimeout(200);
	for (const [label, answer] of Object.entries(newEmployee)) {
		await page.getByLabel(label).fill(answer);
	}
	await page.getByRole('button', { name: 'Send the contract' }).click();
	const execution = await waiting(n8n, id);
	await page.setViewportSize(executionWindow);
	await page.goto(`${n8n.url}/workflow/${id}/executions/${execution}`);
	await page.getByTestId('canvas-node').filter({ hasText: 'Is it signed?' }).waitFor();
	await shoot(page, 'waiting.png');
}

/** The ID of the execution of a workflow that waits. */
async function waiting({ rest }, workflowId) {
	for (;;) {
		const { results } = await rest.executions({ workflowId, status: ['waiting'] }, 1);
		if (results.length > 0) return results[0].id;
		await setTimeout(200);
	}
}

/** What the editor says when some rows of a spreadsheet are wrong. */
async function rowsWithMistakes(page, { n8n, workflows }, items, name) {
	await openWithRows(page, n8n, workflows[0], items);
	await page.getByTestId('node-execute-button').first().click();
	await page.getByTestId('node-error-message').waitFor();
	await page.getByRole('alert').locator('.el-notification__closeBtn').click();
	await shoot(page, name);
}

async function preview(page, { n8n, workflows }) {
	const name = 'Preview the agreements';
	const node = { name, operation: 'previewDocument', column: 'documensoPreview' };
	await shootOutput(page, n8n, workflows[0], node, previewed, 'preview.png');
}

/** What the example that compares a sheet with Documenso finds, in its panel, its sheet and its message. */
async function checked(page, { n8n, emulator, inbox, workflows }) {
	const { rest } = n8n;
	await runTo(rest, workflows[0].id, 'When you click Execute');
	const { documents } = await emulator.state();
	const [tenant] = documents.find(({ externalId }) => externalId === 'RA-2027-001').recipients;
	await emulator.sign(tenant.token, changedBySigner);
	const example = workflows.find(({ name }) => name.startsWith('The sheet and Documenso agree'));
	await runTo(rest, example.id, 'When you click Execute');
	const project = await rest.request('GET', '/projects/personal');
	const tables = `/projects/${project.id}/data-tables`;
	const { data } = await rest.request('GET', tables);
	const { id } = data.find(({ name }) => name === 'Rental agreements');
	const isIt = { columnName: 'externalId', condition: 'eq', value: corrected.externalId };
	await rest.request('PATCH', `${tables}/${id}/rows`, {
		filter: { type: 'and', filters: [isIt] },
		data: corrected,
	});
	await rest.request('POST', `${tables}/${id}/insert`, { data: [unsent], returnType: 'count' });
	await runTo(rest, example.id, 'Every night');

	await page.setViewportSize(panelWindow);
	await page.goto(`${n8n.url}/projects/${project.id}/datatables/${id}`);
	await page.locator('.ag-row').first().waitFor();
	for (const column of ['externalId', 'verdict', 'whatDiffers', 'page']) {
		await page
			.getByRole('columnheader', { name: column })
			.locator('.ag-header-cell-resize')
			.dblclick();
	}
	await page.mouse.move(1, 1);
	await page.waitForTimeout(animationMs);
	const [last, bottom] = await Promise.all(
		[page.getByRole('columnheader', { name: 'page' }), page.locator('.ag-root')].map((one) =>
			one.boundingBox(),
		),
	);
	const clip = { x: 0, y: 0, width: last.x + last.width, height: bottom.y + bottom.height };
	await page.screenshot({ path: join(images, 'check-sheet.png'), clip });
	await page.goto(inbox.url);
	await page
		.locator('article')
		.first()
		.screenshot({ path: join(images, 'check-message.png') });

	const name = 'Check the agreements';
	const node = { name, operation: 'checkDocuments', column: 'documensoCheck' };
	await shootOutput(page, n8n, workflows[0], node, compared(await readRows()), 'check.png');
}

/** The panel of the node that fills the template in, with another operation that has run, and its column of the output. */
async function shootOutput(page, n8n, workflow, { name, operation, column }, items, picture) {
	const changed = JSON.parse(JSON.stringify(workflow).replaceAll(fillingNode, name));
	changed.nodes.find((node) => node.name === name).parameters.operation = operation;
	await openWithRows(page, n8n, changed, items, name);
	await page.getByTestId('node-execute-button').first().click();
	await success(page);
	await page
		.getByRole('columnheader', { name: column })
		.evaluate((header) => header.scrollIntoView({ inline: 'start' }));
	await shoot(page, picture);
}

async function runTo(rest, id, trigger) {
	const { status } = await rest.run(id, trigger, 60_000);
	if (status !== 'success') throw new Error(`The workflow ended with "${status}" from ${trigger}`);
}

/** Opens the panel of the node that fills the template in, with rows in the place of the spreadsheet's. */
async function openWithRows(page, n8n, { name, nodes, connections, settings }, items, node) {
	const pinData = { 'Make an item of each row': items.map((json) => ({ json })) };
	const workflow = { name, nodes, connections, settings, pinData };
	const { id } = await n8n.rest.request('POST', '/workflows', workflow);
	await page.setViewportSize(panelWindow);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openPanel(page, node);
	await widenOutput(page);
}

async function triggerPanel(page, { n8n, workflows }) {
	const { id } = workflows.find(({ name }) => name.startsWith('Slack message'));
	await page.setViewportSize(window);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page
		.getByTestId('canvas-trigger-node')
		.first()
		.dblclick({ position: { x: 48, y: 48 } });
	await page.getByTestId('ndv').waitFor();
	await shoot(page, 'trigger.png');
}

async function credential(page, { n8n, workflows }) {
	const { id } = workflows[0].nodes.flatMap(
		({ credentials }) => credentials?.documensoApi ?? [],
	)[0];
	await page.setViewportSize(window);
	await page.goto(`${n8n.url}/home/credentials/${id}`);
	const dialog = page.getByTestId('editCredential-modal');
	await dialog.waitFor();
	await page.waitForTimeout(animationMs);
	await dialog.screenshot({ path: join(images, 'credential.png') });
}

/** The canvas of an example as it is imported, with the credential chosen. */
async function example(page, { n8n, workflows }, file, picture) {
	const { credentials } = workflows[0].nodes.find((node) => node.credentials);
	const { name, connections, settings, ...imported } = JSON.parse(
		await readFile(join(examples, file), 'utf8'),
	);
	const nodes = imported.nodes.map((node) => ({ ...node, credentials }));
	const workflow = { name, nodes, connections, settings };
	const { id } = await n8n.rest.request('POST', '/workflows', workflow);
	await page.setViewportSize(galleryWindow);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page.getByTestId('canvas-node').first().waitFor();
	await page.addStyleTag({ content: onlyTheWorkflow });
	await page.waitForTimeout(animationMs);
	const path = join(images, 'examples', picture);
	await page.screenshot({ path, clip: await around(page.locator('.vue-flow__node')) });
}

/** Hides the editor around the workflow, and what n8n marks as still to be chosen. */
const onlyTheWorkflow = `
	body :not(.vue-flow, .vue-flow *) { visibility: hidden !important; }
	.vue-flow { visibility: visible !important; }
	.vue-flow__panel, .vue-flow__background, [data-test-id=node-issues] { display: none !important; }
`;

/** The part of the window that holds all of these, with their names below. */
async function around(locator) {
	const boxes = await Promise.all((await locator.all()).map((one) => one.boundingBox()));
	const [left, top] = ['x', 'y'].map((side) => Math.min(...boxes.map((box) => box[side])));
	const right = Math.max(...boxes.map(({ x, width }) => x + width));
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
	const [margin, names, plus] = [24, 76, 96];
	return {
		x: left - margin,
		y: Math.max(0, top - margin),
		// Behind the last node of a branch is a plus, and texts below a node may be wider than the node.
		width: Math.min(right - left + margin + plus, galleryWindow.width - left + margin),
		height: bottom - top + margin + names,
	};
}

await mkdir(join(images, 'examples'), { recursive: true });
await mkdir(join(root, '.demo'), { recursive: true });
const stateDir = await mkdtemp(join(root, '.demo', 'pictures-'));
try {
	await takeScreenshots(stateDir);
} finally {
	await stopAll();
	await rm(stateDir, { recursive: true });
}
process.exit();
