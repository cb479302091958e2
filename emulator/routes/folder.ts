import { createFolder, deleteFolder, listFolders, updateFolder } from '../envelopes/folders';
import { formatPage } from '../envelopes/format';
import { procedure } from '../http/route';
import * as schemas from '../schemas/folders';

export const folderRoutes = [
	procedure({
		method: 'GET',
		path: '/folder',
		operation: 'folder.findFolders',
		input: schemas.findFolders,
		answer: (instance, caller, input) => formatPage(listFolders(instance, caller, input), input),
	}),
	procedure({
		method: 'POST',
		path: '/folder/create',
		operation: 'folder.createFolder',
		input: schemas.createFolder,
		answer: (instance, caller, input) => createFolder(instance, caller, input),
	}),
	procedure({
		method: 'POST',
		path: '/folder/update',
		operation: 'folder.updateFolder',
		input: schemas.updateFolder,
		answer: (instance, caller, input) => updateFolder(instance, caller, input),
	}),
	procedure({
		method: 'POST',
		path: '/folder/delete',
		operation: 'folder.deleteFolder',
		input: schemas.folderIdOnly,
		answer: (instance, caller, { folderId }) => {
			deleteFolder(instance, caller, folderId);
			return { success: true };
		},
	}),
];
