import { blocks } from './blocks.mjs';
import { files } from './files.mjs';
import { list } from './list.mjs';
import { loadingThePackage } from './package.mjs';
import { overlap } from './overlap.mjs';
import { preview } from './preview.mjs';
import { readById } from './readById.mjs';
import { rerun } from './rerun.mjs';
import { rowsBusyFourWorkers, rowsBusyOneWorker } from './rowsBusy.mjs';
import { rowsRateLimited } from './rowsRateLimited.mjs';
import { rowsUnlimited } from './rowsUnlimited.mjs';
import { wait } from './wait.mjs';
import { signedPdfs, webhooks } from './webhooks.mjs';

/** In the order in which they run and are shown. */
export const cases = [
	rowsUnlimited,
	rowsBusyFourWorkers,
	rowsBusyOneWorker,
	rowsRateLimited,
	rerun,
	overlap,
	preview,
	readById,
	list,
	...files,
	webhooks,
	signedPdfs,
	wait,
	blocks,
	loadingThePackage,
];

export function caseOf(name) {
	return cases.find((candidate) => candidate.name === name);
}
