import { multipart } from '../../shared/api/body';
import type { Client } from '../../shared/api/client';
import { allAddedSchema, parse, recordsSchema } from '../../shared/api/records';
import { post } from '../../shared/api/request';
import { uploadsOf } from '../../shared/n8n/binary';
import { options } from '../engine/commonInputs';
import { atLeastOne, collection } from '../../shared/n8n/collections';
import { positiveInteger } from '../../shared/n8n/input';
import { custom, perItem } from '../engine/kinds';
import { changesTo } from '../engine/oneAtATime';
import { Refusal } from '../../shared/n8n/refusal';
import type { Resource } from '../engine/resource';
import { downloadFile, filesOf, withFiles } from '../../shared/envelope/files';
import { readNamed, readNamedOnce } from '../../shared/envelope/named';
import { hintAtPlaceholders } from '../envelope/filePages';
import { uploadFailure } from '../envelope/uploadFailure';
import { allowUnfinished, checkSigned, versionInput } from '../envelope/version';
import { inputPdfs, outputFile } from '../inputs/files';
import { envelopeId, fileId } from '../../shared/inputs/locators';
import { title } from '../inputs/settings';

const add = custom({
	name: 'Add',
	value: 'add',
	action: 'Add a file',
	description: 'Add PDFs at the end of a draft or template',
	returns: 'an item for each file',
	effect: 'adds',
	inputs: { envelopeId, binaryPropertyName: inputPdfs },
	// Two at the same moment would get one place among the files.
	line: ({ envelopeId: id }) => changesTo(id),
	run: async ({ envelopeId: id, binaryPropertyName }, item) => {
		const files = await uploadsOf(item, binaryPropertyName);
		const body = multipart({ envelopeId: id }, files);
		const { data } = await item.client
			.post('/envelope/item/create-many', body, allAddedSchema)
			.catch((error: unknown) => {
				throw uploadFailure(error, files);
			});
		hintAtPlaceholders(item, files);
		return data.map((json) => ({ json }));
	},
});

const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a file',
	description: 'Delete a file of a draft or template, with the fields on it',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { envelopeId, envelopeItemId: fileId },
	request: ({ envelopeId: id, envelopeItemId }) =>
		post('/envelope/item/delete', { envelopeId: id, envelopeItemId }),
	check: async ({ envelopeId: id, envelopeItemId }, { client }) =>
		await fileOf(client, id, envelopeItemId),
	items: (_, { envelopeItemId: id }) => [{ id, deleted: true }],
});

const download = custom({
	name: 'Download',
	value: 'download',
	action: 'Download a file',
	description: 'Download one PDF of a document or template',
	returns: 'the PDF',
	effect: 'reads',
	inputs: {
		envelopeId,
		envelopeItemId: fileId,
		version: versionInput(),
		binaryPropertyName: outputFile,
		options: options({ allowUnfinished }),
	},
	run: async (
		{ envelopeId: id, envelopeItemId, version, binaryPropertyName, options: chosen },
		item,
	) => {
		const { record, envelope, file } = await fileOf(item.client, id, envelopeItemId);
		checkSigned('Document or Template', record, item.client, { version, ...chosen });
		const json = { ...file, envelopeId: id, status: envelope.status, version };
		const files = filesOf(envelope, version).filter((one) => one.envelopeItemId === file.id);
		return await Promise.all(
			files.map(
				async ({ download: one }) => await downloadFile(item, { ...one, json }, binaryPropertyName),
			),
		);
	},
});

const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a file',
	description: 'Rename a file of a document or template, or change its position',
	returns: 'the file',
	effect: 'changes',
	inputs: {
		envelopeId,
		envelopeItemId: fileId,
		updateFields: atLeastOne(
			collection('Update Fields', {
				order: positiveInteger('Order', {
					description: 'Position among the files, counted from 1',
				}),
				title,
			}),
		),
	},
	line: ({ envelopeId: id }) => changesTo(id),
	request: async ({ envelopeId: id, envelopeItemId, updateFields }, { client }) => {
		const { order } = updateFields;
		const others =
			order === undefined
				? []
				: makingRoom(await fileOf(client, id, envelopeItemId, readNamed), order);
		const data = [{ envelopeItemId, ...updateFields }, ...others];
		return post('/envelope/item/update-many', { envelopeId: id, data });
	},
	check: async ({ envelopeId: id, envelopeItemId }, { client }) =>
		await fileOf(client, id, envelopeItemId),
	answer: recordsSchema,
	// Where nothing is new, the service returns all files.
	items: ({ data }, { envelopeItemId }) => data.filter(({ id }) => id === envelopeItemId),
});

/** The new positions of the other files if this one is moved: the service itself would give two the same. */
function makingRoom({ envelope, file: moved }: Awaited<ReturnType<typeof fileOf>>, place: number) {
	const others = envelope.envelopeItems.filter(({ id }) => id !== moved.id);
	others.sort((one, other) => one.order - other.order);
	return others.flatMap(({ id, order: before }, index) => {
		const order = index + 1 < place ? index + 1 : index + 2;
		return order === before ? [] : [{ envelopeItemId: id, order }];
	});
}

/** The file that an input names, and the document or template that the other input says it belongs to. */
async function fileOf(client: Client, envelopeId: string, fileId: string, read = readNamedOnce) {
	const record = await read(client, 'envelopeId', envelopeId);
	const envelope = parse(withFiles, record);
	const file = envelope.envelopeItems.find(({ id }) => id === fileId);
	if (file) return { record, envelope, file };
	const names = envelope.envelopeItems.map(({ id, title }) => `${title} (${id})`).join(', ');
	throw new Refusal(
		`'File' is ${fileId}, which is not a file of ${envelope.id}`,
		`The files are: ${names || 'none'}.`,
	);
}

export const file: Resource = {
	name: 'File',
	value: 'file',
	description: 'One PDF of a document or template',
	operations: [download, add, update, remove],
	default: 'add',
	defaultOfTool: 'download',
};
