import { UserError } from '../n8n-host/userError.mjs';
import { readFlags, readSettings } from '../n8n-host/flags.mjs';
import { cases } from './cases/index.mjs';

const names = cases.map(({ name }) => name);

export const usage = `npm run bench -- [options]      takes about 80 minutes, and reports its progress on standard error

  --case name[,name]     only these: ${names.join(', ')}
  --env NAME=value       a setting of n8n; may be repeated
  --runs N               how often each subject is measured; medians are shown
  --json                 prints the result as JSON, with every run
  --from FILE            shows the result of an earlier run with --json, and measures nothing
  --svg FILE             draws a chart
  --page                 writes the result into docs/benchmarks.md`;

const flags = {
	help: { type: 'boolean', short: 'h' },
	json: { type: 'boolean' },
	case: { type: 'string' },
	env: { type: 'string', multiple: true },
	runs: { type: 'string' },
	from: { type: 'string' },
	svg: { type: 'string' },
	page: { type: 'boolean' },
};

export function readOptions(args) {
	const { env, ...values } = readFlags(args, flags, usage);
	const chosen = values.case?.split(',') ?? names;
	const unknown = chosen.find((name) => !names.includes(name));
	if (unknown !== undefined) {
		throw new UserError(`There is no case "${unknown}".\n\n${usage}`);
	}
	const runs = values.runs === undefined ? undefined : Number(values.runs);
	if (runs !== undefined && !(Number.isInteger(runs) && runs > 0)) {
		throw new UserError(`--runs must be a whole number above 0, not "${values.runs}".`);
	}
	return { ...values, chosen, runs, settings: readSettings(env) };
}
