import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { resources } from '../../nodes/Documenso/resources';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { operations } from '../support/operations';

const node = new Documenso();
const trigger = new DocumensoTrigger();
const pollingTrigger = new DocumensoPollingTrigger();

/** Every property and whatever is nested in it. */
function deep(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const inner = (property.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		return [property, ...deep(inner)];
	});
}

test('the operations that workflows are saved with are these', () => {
	const current = operations.filter(({ resource }) => resource !== 'templateDeprecated');
	expect(current.map(({ id }) => id)).toEqual([
		'attachment.create',
		'attachment.delete',
		'attachment.getAll',
		'attachment.update',
		'directLink.create',
		'directLink.delete',
		'directLink.disable',
		'directLink.enable',
		'document.archive',
		'document.cancel',
		'document.create',
		'document.createAndSend',
		'document.createUntilSigned',
		'document.delete',
		'document.download',
		'document.duplicate',
		'document.get',
		'document.getAuditLog',
		'document.getAll',
		'document.getByIds',
		'document.resend',
		'document.send',
		'document.sendUntilSigned',
		'document.update',
		'embedToken.create',
		'embedToken.verify',
		'field.add',
		'field.delete',
		'field.get',
		'field.move',
		'field.update',
		'file.add',
		'file.delete',
		'file.download',
		'file.update',
		'folder.create',
		'folder.delete',
		'folder.getAll',
		'folder.moveEnvelope',
		'folder.update',
		'recipient.add',
		'recipient.delete',
		'recipient.get',
		'recipient.getAll',
		'recipient.getSigningLink',
		'recipient.rejectOnBehalf',
		'recipient.update',
		'template.create',
		'template.createDocument',
		'template.createDocumentUntilSigned',
		'template.delete',
		'template.duplicate',
		'template.get',
		'template.getAll',
		'template.previewDocument',
		'template.update',
	]);
});

test('the events that workflows are saved with are these', () => {
	const { options } = trigger.description.properties.find(({ name }) => name === 'events') ?? {};
	expect((options as INodePropertyOptions[]).map(({ value }) => value)).toEqual([
		'*',
		'DOCUMENT_CANCELLED',
		'DOCUMENT_COMPLETED',
		'DOCUMENT_CREATED',
		'DOCUMENT_OPENED',
		'DOCUMENT_RECIPIENT_COMPLETED',
		'DOCUMENT_REJECTED',
		'DOCUMENT_REMINDER_SENT',
		'DOCUMENT_SENT',
		'DOCUMENT_SIGNED',
		'RECIPIENT_EXPIRED',
		'TEMPLATE_CREATED',
		'TEMPLATE_DELETED',
		'TEMPLATE_UPDATED',
		'TEMPLATE_USED',
	]);
});

test('the events that polls report are called as those that are delivered', () => {
	const [polled, delivered] = [pollingTrigger, trigger].map(
		({ description }) => description.properties.find(({ name }) => name === 'events')?.options,
	) as INodePropertyOptions[][];
	const values = polled?.map(({ value }) => value) ?? [];
	expect(values).toEqual([
		'DOCUMENT_CANCELLED',
		'DOCUMENT_COMPLETED',
		'DOCUMENT_CREATED',
		'DOCUMENT_OPENED',
		'DOCUMENT_RECIPIENT_COMPLETED',
		'DOCUMENT_REJECTED',
		'DOCUMENT_SENT',
		'DOCUMENT_SIGNED',
		'RECIPIENT_EXPIRED',
	]);
	expect(delivered?.map(({ value }) => value)).toEqual(expect.arrayContaining(values));
});

test('resources and operations stand in alphabetical order', () => {
	const sorted = (names: string[]) => [...names].sort((a, b) => a.localeCompare(b));
	const names = resources.map(({ name }) => name);
	expect(names).toEqual(sorted(names));
	for (const resource of resources) {
		const own = resource.operations.map(({ name }) => name);
		expect(own).toEqual(sorted(own));
	}
});

test('the operation chosen first exists', () => {
	for (const resource of resources) {
		expect(resource.operations.map(({ value }) => value)).toContain(resource.default);
	}
});

test.each(resources)('the resource $name says in the editor what it is', ({ description }) => {
	expect(description).toMatch(/^[A-Z].*[^.]$/);
});

test.each(operations)('$id says in the editor what it does', ({ operation }) => {
	expect(operation.value).toMatch(/^[a-z][a-zA-Z]*$/);
	expect(operation.action).toMatch(/^[A-Z][a-z]+( [a-z]+)+( IDs)?$/);
	expect(operation.description).toMatch(/^[A-Z].*[^.]$/);
	expect(operation.description).not.toBe(operation.action);
});

test.each(operations)('$id names each of its parameters once', ({ operation }) => {
	const places = operation.properties.map(
		({ name, displayOptions }) => `${name} ${JSON.stringify(displayOptions)}`,
	);
	expect(new Set(places).size).toBe(places.length);
});

test.each(operations)('$id leaves its place in the editor to the engine', ({ operation }) => {
	for (const { displayOptions } of deep(operation.properties)) {
		expect(Object.keys(displayOptions?.show ?? {})).not.toContain('operation');
		expect(Object.keys(displayOptions?.show ?? {})).not.toContain('resource');
	}
});

/** n8n does not store a value that is the default, so a workflow in which nothing was entered would run with it. */
test('no number of a document, a template or a part of one is a default', () => {
	const named = operations.flatMap(({ operation }) => deep(operation.properties));
	const ids = named.filter(({ name, required }) => required || /(Id|Number)$/.test(name));
	expect(ids.filter((one) => typeof one.default === 'number')).toEqual([]);
});

test('the same parameter is of the same type wherever it is used', () => {
	const types = new Map<string, Set<string>>();
	for (const { operation } of operations) {
		for (const { name, type } of operation.properties) {
			types.set(name, (types.get(name) ?? new Set()).add(type));
		}
	}
	const mixed = [...types].filter(([, used]) => used.size > 1).map(([name]) => name);
	expect(mixed).toEqual([]);
});

test.each<[string, INodeType]>([
	['the action node', node],
	['the trigger', trigger],
	['the polling trigger', pollingTrigger],
])(
	'every picker, list of options, mapper and credential of %s has its method',
	(_, { description, methods }) => {
		const wanted = deep(description.properties).flatMap(({ modes, typeOptions }) => [
			...(modes ?? []).map((mode) => mode.typeOptions?.searchListMethod),
			typeOptions?.loadOptionsMethod,
			typeOptions?.resourceMapper?.resourceMapperMethod,
		]);
		const tests = description.credentials?.map(({ testedBy }) => testedBy) ?? [];
		const named = new Set([...wanted, ...tests].filter((method) => method !== undefined));
		expect([...named].sort()).toEqual(
			Object.values(methods ?? {})
				.flatMap(Object.keys)
				.sort(),
		);
	},
);

test('n8n asks the user how often the polling trigger is to poll', () => {
	expect(pollingTrigger.description).toMatchObject({ polling: true, group: ['trigger'] });
});

test('the action node is a tool for AI agents, the triggers are not', () => {
	expect(node.description.usableAsTool).toBe(true);
	expect(trigger.description.usableAsTool).toBeUndefined();
	expect(pollingTrigger.description.usableAsTool).toBeUndefined();
});

/** n8n starts a sandbox to evaluate one, for each delivery; older than version 2 it evaluates one of its own. */
test('n8n has no expression to evaluate before it asks the trigger', () => {
	const { webhooks = [], version } = trigger.description;
	const values = webhooks.flatMap((webhook) => Object.values(webhook) as unknown[]);
	expect(values.filter((value) => String(value).startsWith('='))).toEqual([]);
	expect(Math.max(...[version].flat())).toBeGreaterThan(1);
});
