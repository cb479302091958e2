// Fills what n8n has on record of a workflow's trigger, as it is in use: node fillHistory.mjs DATABASE WORKFLOW
// It runs on n8n's Node.js, because that has SQLite.
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** More than the trigger keeps: it drops the oldest. */
const names = 10_000;

const [path, workflow] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec('PRAGMA busy_timeout = 10000');
const data = Array.from({ length: names }, (_, index) =>
	createHash('md5').update(`earlier-${index}`).digest('base64'),
);
const value = JSON.stringify({ mode: 'entries', data });
database.prepare('UPDATE processed_data SET value = ? WHERE workflowId = ?').run(value, workflow);
database.close();
