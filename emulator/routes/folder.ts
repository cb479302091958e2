import { formatFolder, formatPage } from '../envelopes/format';
import { procedure } from '../http/route';
import { findFolders } from '../schemas/envelopes';

export const folderRoutes = [
	procedure({
		method: 'GET',
		path: '/folder',
		operation: 'folder.findFolders',
		input: findFolders,
		answer: ({ store }, caller, input) => {
			// Without a parent, folders of every level are listed; `query` is accepted and unused.
			const folders = [...store.folders.values()].filter(
				({ teamId, parentId, type }) =>
					teamId === caller.team.id &&
					(input.parentId === undefined || parentId === input.parentId) &&
					(input.type === undefined || type === input.type),
			);
			return formatPage(folders.reverse(), input, formatFolder);
		},
	}),
];
