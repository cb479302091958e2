import { brokenReference } from '../database';
import type { Folder } from '../entities';
import { AppError, notFound } from '../errors';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import type { CreateFolder, FindFolders, UpdateFolder } from '../schemas/folders';
import { isFolderVisible } from './access';

const MISSING = 'Folder not found';
const MISSING_PARENT = 'Parent folder not found';
const DEFAULT_TYPE = 'DOCUMENT';

/** Newest first. Without a parent, folders of all levels. */
export function listFolders(
	{ store }: Instance,
	caller: Caller,
	{ parentId, type }: FindFolders,
): Folder[] {
	const folders = [...store.folders.values()].filter(
		(folder) =>
			isFolderVisible(folder, caller) &&
			(parentId === undefined || folder.parentId === parentId) &&
			(type === undefined || folder.type === type),
	);
	return folders.reverse();
}

export function createFolder(
	instance: Instance,
	caller: Caller,
	{ name, parentId, type }: CreateFolder,
): Folder {
	const { store } = instance;
	if (parentId !== undefined) assertNewParent(instance, caller, parentId, type);
	const now = instance.now();
	const folder: Folder = {
		id: store.ids.cuid(),
		name,
		userId: caller.user.id,
		teamId: caller.team.id,
		parentId: parentId ?? null,
		pinned: false,
		createdAt: now,
		updatedAt: now,
		visibility: 'EVERYONE',
		type: type ?? DEFAULT_TYPE,
	};
	store.folders.set(folder.id, folder);
	return folder;
}

export function updateFolder(
	instance: Instance,
	caller: Caller,
	{ folderId, data }: UpdateFolder,
): Folder {
	const folder = getFolder(instance, caller, folderId);
	const { parentId } = data;
	if (typeof parentId === 'string') {
		const parent = parentOf(instance, caller, parentId, folder.type);
		if (parent === folder) {
			throw new AppError('INVALID_REQUEST', 'Cannot move a folder into itself');
		}
		if (withSubfolders(instance, folder).includes(parent)) {
			throw new AppError('INVALID_REQUEST', 'Cannot move a folder into its descendant');
		}
	}
	folder.name = data.name ?? folder.name;
	folder.visibility = data.visibility ?? folder.visibility;
	folder.pinned = data.pinned ?? folder.pinned;
	if (parentId !== undefined) folder.parentId = parentId;
	folder.updatedAt = instance.now();
	return folder;
}

/** Also deletes its subfolders; their envelopes move to the root (documenso-api.md: Folders). */
export function deleteFolder(instance: Instance, caller: Caller, folderId: string): void {
	const { store } = instance;
	const removed = withSubfolders(instance, getFolder(instance, caller, folderId));
	for (const { id } of removed) store.folders.delete(id);
	for (const envelope of store.envelopes.values()) {
		if (removed.some(({ id }) => id === envelope.folderId)) envelope.folderId = null;
	}
}

function getFolder(
	{ store }: Instance,
	caller: Caller,
	folderId: string,
	missing = MISSING,
): Folder {
	const folder = store.folders.get(folderId);
	if (!folder || !isFolderVisible(folder, caller)) throw notFound(missing);
	return folder;
}

/** The creator of a folder has to see its parent. Only a given type belongs to the search. */
function assertNewParent(
	instance: Instance,
	caller: Caller,
	parentId: string,
	type: Folder['type'] | undefined,
): void {
	assertParentId(parentId, 'folder.create');
	const parent = getFolder(instance, caller, parentId, MISSING_PARENT);
	if (parent.type === (type ?? DEFAULT_TYPE)) return;
	if (type !== undefined) throw notFound(MISSING_PARENT);
	throw new AppError('INVALID_BODY', 'Parent folder type does not match the folder type');
}

/** An empty ID is looked up nowhere, and fails when it is stored. */
function assertParentId(parentId: string, query: string): void {
	if (parentId === '') throw brokenReference(query, 'Folder_parentId_fkey');
}

function parentOf(
	{ store }: Instance,
	{ team }: Caller,
	parentId: string,
	type: Folder['type'],
): Folder {
	assertParentId(parentId, 'folder.update');
	const parent = store.folders.get(parentId);
	if (parent?.teamId !== team.id || parent.type !== type) throw notFound(MISSING_PARENT);
	return parent;
}

function withSubfolders(instance: Instance, folder: Folder): Folder[] {
	const children = [...instance.store.folders.values()].filter(
		({ parentId }) => parentId === folder.id,
	);
	return [folder, ...children.flatMap((child) => withSubfolders(instance, child))];
}
