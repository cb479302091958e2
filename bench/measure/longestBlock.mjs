// Prints for how long one workload keeps everything else in n8n waiting, in milliseconds: the longest block of the event
// loop in the process that runs the node. Runs with tsx. n8n's execution and the trigger's server are those of the tests,
// because a whole n8n would add other blocks.
import '../../test/support/environment.ts';

import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';

import { sealed } from '../../nodes/shared/envelope/marker.ts';
import { completed } from '../../test/support/deliveries.ts';
import { getTemplateColumns } from '../../nodes/Documenso/pickers/templateColumns.ts';
import { itemWith, loadOptionsContext, runNode } from '../../test/support/n8n.ts';
import { deflated, document, object, packed, stream } from '../../test/support/pdfText.ts';
import { serveTrigger } from '../../test/support/webhook.ts';
import { byId } from '../subjects/nodes.mjs';
import { rowsOf } from '../subjects/rows.mjs';

const nanosecondsPerMillisecond = 1e6;
const [workload, apiUrl, apiToken, templateId] = process.argv.slice(2);
const credential = { baseUrl: '', apiToken, webhookSecret: 'the secret', webhookHeader: '' };

const workloads = {
	pdfOfStreams: () => upload(inObjectStream(packedStream.repeat(10_000))),
	pdfOfHeads: () => {
		const heads = '9 0 '.repeat(3_900_000);
		const entries = `/Type/ObjStm/N 3900000/First ${heads.length}/Filter/FlateDecode`;
		return upload(stream(7, deflated(heads), entries));
	},
	pdfOfBrackets: () => upload(object(9, `[${'[]'.repeat(5_000_000)}]`)),
	recipients125: () => deliver({ recipients: Array(62_500).fill(0) }),
	recipients1000: () => deliver({ recipients: Array(500_000).fill(0) }),
	markers: () => {
		const { instanceId } = Container.get(InstanceSettings);
		const keys = { apiToken: 'another token', instanceId };
		const marker = sealed({ executionId: '1', token: 'ab'.repeat(32) }, keys);
		const externalId = Array(Math.floor(3.9e6 / (marker.length + 1)));
		return deliver({ externalId: externalId.fill(marker).join(' ') });
	},
	longName: () => fill([{ ...tenant, ['('.repeat(mostBytes)]: 'x' }]),
	longValues: () => fill([{ ...tenant, Rent: blanks, rent: `${blanks}1` }]),
	manyColumns: () => fill([{ ...tenant, ...columns(1_000_000, (index) => `c${index}`) }]),
	nearNames: () => fill([{ ...tenant, ...columns(20_000, nearName) }]),
	sameLabels: () => preview(2000),
	picker: () => pick(2000),
	filter: () =>
		deliver({ title: ' '.repeat(3.9e6), recipients: Array(500_000).fill(0) }, byEverything),
	rows10000: () => plan(10_000),
	rows50000: () => plan(50_000),
};

/** An object stream, as none may be in another one. */
const packedStream = stream(9, '9 0 1', '/Type/ObjStm/N 1/First 4');

function inObjectStream(text) {
	const { entries, content } = packed({ 8: text });
	return stream(7, deflated(content), `${entries}/Filter/FlateDecode`);
}

const condition = { rule: { condition: 'contains', value: 'signed' } };
const byEverything = {
	events: ['any'],
	filters: { title: condition, externalId: condition, recipientEmail: 'ada@example.com' },
};
const templatePath = `/api/v2/envelope/${templateId}`;
const [tenant] = rowsOf(1);
/** n8n's default limit for the body of a webhook. */
const mostBytes = 16_000_000;
const blanks = ' '.repeat(mostBytes / 2);

function columns(count, nameOf) {
	return Object.fromEntries(Array.from({ length: count }, (_, index) => [nameOf(index), 'x']));
}

/** Of the same length as a column of the template, with the same beginning. */
function nearName(index) {
	return `Tenant e${index.toString(36).padStart(4, 'q')}`;
}

/** Each workload prepares everything, runs with something ordinary once, and returns what is measured. */
async function upload(text) {
	const withText = async (text) =>
		await itemWith({ data: { content: Buffer.from(document(3, text), 'latin1') } });
	const item = await withText(text);
	const { url } = await serviceWith({});
	const field = { recipient: 'r1', type: 'SIGNATURE', page: 2, width: 9, height: 9 };
	const parameters = {
		resource: 'document',
		operation: 'create',
		title: 'A scan',
		recipients: { recipient: [{ email: 'ada@example.com', name: 'Ada', role: 'SIGNER' }] },
		fields: { field: [{ ...field, positionX: 9, positionY: 9 }] },
	};
	const run = async (given) => await runNode({ ...credential, baseUrl: url }, parameters, [given]);
	await run(await withText(''));
	return async () => await run(item);
}

async function deliver(changes, selection = { events: ['any'] }) {
	const { url } = await serviceWith({});
	const trigger = await serveTrigger({ ...credential, baseUrl: url }, selection);
	const bodyWith = (changes) =>
		JSON.stringify({ ...completed, payload: { ...completed.payload, ...changes } });
	const body = bodyWith(changes);
	const headers = {
		'content-type': 'application/json',
		'x-documenso-secret': credential.webhookSecret,
	};
	const send = async (body) =>
		await (await fetch(trigger.url, { method: 'POST', headers, body })).text();
	await send(bodyWith({}));
	return async () => await send(body);
}

const plan = async (count) => await fill(rowsOf(count));

/** The service refuses the search that follows the planning. */
async function fill(rows) {
	const template = await readTemplate();
	const { url } = await serviceWith({ [templatePath]: JSON.stringify(template) });
	const parameters = {
		resource: 'template',
		operation: 'createDocument',
		templateId: byId(templateId),
		columns: { mappingMode: 'autoMapInputData', value: null },
		additionalFields: { externalId: '={{ $json["External ID"] }}', ifExternalIdExists: 'skip' },
	};
	const run = async (given) => await runNode({ ...credential, baseUrl: url }, parameters, given);
	const items = rows.map((json) => ({ json }));
	await run(rowsOf(10).map((json) => ({ json })));
	return async () => await run(items);
}

/** A template with so many more fields, which all have the same label. */
async function serviceWithLabels(count) {
	const template = await readTemplate();
	const [field] = template.fields.filter(({ type }) => type === 'TEXT');
	const same = Array.from({ length: count }, (_, index) => {
		const fieldMeta = { ...field.fieldMeta, label: 'Initials' };
		return { ...field, id: 1_000_000 + index, fieldMeta };
	});
	const fields = [...template.fields, ...same];
	return await serviceWith({ [templatePath]: JSON.stringify({ ...template, fields }) });
}

async function pick(count) {
	const { url } = await serviceWithLabels(count);
	const parameters = { resource: 'template', operation: 'createDocument' };
	const columns = async () => {
		const chosen = { ...parameters, templateId: byId(templateId) };
		return await getTemplateColumns.call(
			loadOptionsContext({ ...credential, baseUrl: url }, chosen),
		);
	};
	await columns();
	return columns;
}

async function preview(count) {
	const { url } = await serviceWithLabels(count);
	const parameters = {
		resource: 'template',
		operation: 'previewDocument',
		templateId: byId(templateId),
		columns: { mappingMode: 'autoMapInputData', value: null },
	};
	const run = async () =>
		await runNode({ ...credential, baseUrl: url }, parameters, [{ json: tenant }]);
	return run;
}

async function readTemplate() {
	const answer = await fetch(apiUrl + templatePath.slice('/api/v2'.length), {
		headers: { authorization: apiToken },
	});
	if (!answer.ok) throw new Error(`The template was answered with ${answer.status}`);
	return await answer.json();
}

/** Answers these paths, and refuses everything else. */
async function serviceWith(answers) {
	const server = createServer((request, response) => {
		request.resume();
		const answer = answers[request.url.split('?')[0]];
		response.writeHead(answer ? 200 : 403, { 'content-type': 'application/json' });
		response.end(answer ?? '{"message":"No"}');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { url: `http://127.0.0.1:${server.address().port}` };
}

const run = await workloads[workload]();
const delay = monitorEventLoopDelay({ resolution: 5 });
// What came before must not count.
await sleep(100);
delay.enable();
await sleep(50);
await run();
// What goes on after an answer counts, too.
await sleep(200);
console.log(delay.max / nanosecondsPerMillisecond);
process.exit(0);
