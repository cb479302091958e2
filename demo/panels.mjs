import { randomUUID } from 'node:crypto';

const window = { width: 1500, height: 1444 };
/** How long the editor animates a panel. */
const animationMs = 1500;

/** What stands beside each other: the panels of n8n's own nodes that people know, and ours that they use most. */
const shown = [
	{ type: 'n8n-nodes-base.googleSheets', typeVersion: 4.7, parameters: { operation: 'append' } },
	{ type: 'n8n-nodes-base.gmail', typeVersion: 2.1, parameters: {} },
	ours('template', 'createDocument'),
	ours('document', 'createAndSend'),
	ours('document', 'createUntilSigned'),
	ours('document', 'send'),
];

function ours(resource, operation) {
	const parameters = { resource, operation };
	return { type: 'n8n-nodes-documenso.documenso', typeVersion: 1, parameters };
}

/** A picture of the panels, as they open, side by side. */
export async function panelsBeside(page, { n8n, workflows }, path) {
	const { credentials } = workflows[0].nodes.find((node) => node.credentials);
	const nodes = shown.map((node, index) => ({
		...{ ...node, id: randomUUID(), name: `Node ${index}`, position: [index * 220, 0] },
		...(node.type.startsWith('n8n-nodes-documenso.') ? { credentials } : {}),
	}));
	const workflow = { name: 'Panels', nodes, connections: {}, settings: {} };
	const { id } = await n8n.rest.request('POST', '/workflows', workflow);
	await page.setViewportSize(window);
	await page.goto(`${n8n.url}/workflow/${id}`);
	const pictures = [];
	for (const { name } of nodes) {
		await page
			.getByTestId('canvas-node')
			.filter({ hasText: name })
			.dblclick({ position: { x: 48, y: 48 } });
		const button = page.getByTestId('node-execute-button').first();
		await button.waitFor();
		await page.waitForTimeout(animationMs);
		const [tab, end] = await Promise.all(
			[page.getByTestId('tab-params').first(), button].map((one) => one.boundingBox()),
		);
		const [margin, top, bottom] = [16, tab.y - 16, window.height - 40];
		const clip = {
			...{ x: tab.x - margin, y: top },
			...{ width: end.x + end.width - tab.x + 2 * margin, height: bottom - top },
		};
		pictures.push((await page.screenshot({ clip })).toString('base64'));
		await page.getByTestId('ndv-close-button').click();
	}
	const images = pictures.map((data) => `<img src="data:image/png;base64,${data}">`);
	await page.setContent(`<div style="display: inline-flex; gap: 8px">${images.join('')}</div>`);
	await page.locator('div').screenshot({ path });
}
