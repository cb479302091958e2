import { list } from './list.mjs';
import { readById } from './readById.mjs';
import { rowsBusyFourWorkers, rowsBusyOneWorker } from './rowsBusy.mjs';
import { rowsUnderLimit } from './rowsUnderLimit.mjs';
import { rowsWithRoom } from './rowsWithRoom.mjs';

/** In the order in which they run and are shown. */
export const cases = [
	rowsWithRoom,
	rowsBusyFourWorkers,
	rowsBusyOneWorker,
	rowsUnderLimit,
	readById,
	list,
];
