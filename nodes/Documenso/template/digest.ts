import type { IDataObject } from 'n8n-workflow';

import { dataOf } from '../../shared/api/records';
import { canonical, hashOf, hashOfFile } from '../engine/hash';
import type { Item } from '../../shared/n8n/item';
import { Refusal } from '../../shared/n8n/refusal';
import { isTool } from '../engine/tool';
import { picked } from '../../shared/n8n/values';
import type { Prepared } from './use';

/** What is compared, in the order of the digest. */
const PARTS = ['the template', 'the recipients', 'the values', 'the files', 'the settings'];

const VERSION = 'v1';

/**
 * Stands for all that would be sent: `v1`, and a hash for each part, so that an error can say which one has changed.
 * An external ID that the node makes up is left out, because it is another one each time.
 */
export async function digestOf({ client }: Item, prepared: Prepared): Promise<string> {
	const { record, filled, replaced } = prepared;
	const { recipients, prefillFields, ...settings } = filled.content;
	const { externalId, ifExternalIdExists, sending } = filled;
	const { customDocumentData, files } = replaced;
	const { value: chosenId } = externalId.source === 'own' ? { value: null } : externalId;
	const ofTemplate = await client.once(`digest of template ${record.id as string}`, async () => {
		const query = { envelopeId: record.id };
		const attachments = dataOf(await client.get('/envelope/attachment', undefined, query));
		return hashOf({ ...contentOf(record), attachments: inOrder(attachments, ['label', 'data']) });
	});
	// By their keys, which may be whole files: a longer text would be a copy.
	const known = await client.once('hashes of files', () => new Map<string, Promise<string>>());
	const hashes = await Promise.all(
		files.map(async (file) => {
			const hash = known.get(file.key) ?? hashOfFile(file);
			known.set(file.key, hash);
			return await hash;
		}),
	);
	const { site } = client;
	const parts = [
		ofTemplate,
		hashOf(recipients),
		hashOf(prefillFields),
		hashOf({ customDocumentData, hashes }),
		hashOf({ ...settings, externalId: chosenId, ifExternalIdExists, sending, site }),
	];
	return [VERSION, ...parts].join('.');
}

/**
 * What a document takes over from its template, and has then. Not `updatedAt`: it stays the same when a field changes
 * (documenso-api.md: Updating a field).
 */
function contentOf(record: IDataObject): IDataObject {
	const { recipients, fields, envelopeItems } = record;
	return {
		...picked(record, [
			'id',
			'title',
			'externalId',
			'visibility',
			'authOptions',
			'formValues',
			'documentMeta',
			'internalVersion',
		]),
		recipients: inOrder(recipients, ['id', 'email', 'name', 'role', 'signingOrder', 'authOptions']),
		fields: inOrder(fields, FIELD_KEYS),
		envelopeItems: inOrder(envelopeItems, ['id', 'title', 'order', 'documentDataId']),
	};
}

const FIELD_KEYS = [
	'id',
	'type',
	'recipientId',
	'envelopeItemId',
	'page',
	'positionX',
	'positionY',
	'width',
	'height',
	'fieldMeta',
	// Where a date of a document is.
	'customText',
];

/** Documenso guarantees no order. */
function inOrder(records: unknown, keys: string[]): string[] {
	if (!Array.isArray(records)) return [];
	return (records as IDataObject[]).map((one) => canonical(picked(one, keys))).sort();
}

/** The digest of a document that replaces another one, as that one was read. */
export function withReplaced(digest: string, replaced: object): string {
	return `${digest}.${hashOf(contentOf(replaced as IDataObject))}`;
}

/** A step that is named, such as `$('Preview')`. */
const STEP = /\$\(\s*(['"])[^'"]*\1\s*\)/g;

/** A model must not choose the digest: then it would approve itself. A tool's own input comes from the model. */
function mayBeFromModel(expression: string, isInTool: boolean): boolean {
	if (/\$fromai/i.test(expression)) return true;
	const rest = expression.replace(STEP, '');
	return isInTool && (rest === expression || rest.includes('$'));
}

/**
 * Refuses a digest that a model could give, and one of something else. Returns which document may give way to the new
 * one: only the one that the preview has shown, as it was then.
 */
export async function checkAsPreviewed(
	item: Item,
	approved: string,
	prepared: Prepared,
): Promise<(existing: object) => boolean> {
	const expressions = item.execution.parameters.expressions(['options', 'onlyAsPreviewed']);
	const isInTool = isTool(item.context);
	const given = expressions.filter((expression) => mayBeFromModel(expression, isInTool));
	if (given.length > 0) {
		throw refused(
			`may come from the model: ${given.join(', ')}`,
			"Take the digest from the step that was approved, such as {{ $('Preview').first().json.documensoPreview.digest }}.",
		);
	}
	if (approved === '') {
		throw refused(
			'is empty: the preview has refused the item, or the expression leads to nothing',
			"Let only items through that the preview has not refused, for example with a Filter node: documensoPreview.action is not 'refuse'. The faults of the others are in documensoPreview.faults.",
		);
	}
	const [version, ...all] = approved.split('.');
	const before = all.slice(0, PARTS.length);
	if (version !== VERSION || before.length < PARTS.length || all.length > PARTS.length + 1) {
		throw refused(
			"is not a digest of 'Template: Preview Document'",
			`Take it from the output of that operation: {{ $('Preview').${isInTool ? 'first()' : 'item'}.json.documensoPreview.digest }}.`,
		);
	}
	const digest = await digestOf(item, prepared);
	const [, ...now] = digest.split('.');
	const changed = PARTS.filter((_, index) => now[index] !== before[index]);
	if (changed.length === 0) return (existing) => approved === withReplaced(digest, existing);
	throw refused(
		`stops this item: it differs from the preview in ${changed.join(', ')}`,
		'Preview the item again, and have it approved again. Both nodes need the same inputs. An expression with the current time gives another value each time.',
	);
}

function refused(fault: string, advice: string): Refusal {
	return Refusal.about('Only As Previewed', fault, advice);
}
