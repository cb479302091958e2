import { readFlags, readSettings } from '../../n8n-host/flags.mjs';
import { UserError } from '../../n8n-host/userError.mjs';
import { scenarios } from './scenarios.mjs';

const names = scenarios.map(({ name }) => name);

const usage = `npm run test:queue -- [options]      takes about 50 minutes

  --short               the most important scenarios with few rows: about 10 minutes
  --rows N              with so many rows, whatever the scenario
  --only name[,name]    only these: ${names.join(', ')}
  --json FILE           writes the results there instead of .demo/queue/results.json
  --n8n FOLDER          another n8n, installed there
  --env NAME=value      a setting of all n8n's processes; may be repeated`;

const flags = {
	help: { type: 'boolean', short: 'h' },
	short: { type: 'boolean' },
	only: { type: 'string' },
	rows: { type: 'string' },
	json: { type: 'string' },
	n8n: { type: 'string' },
	env: { type: 'string', multiple: true },
};

export function readOptions(args) {
	const { only, rows, env, ...values } = readFlags(args, flags, usage);
	const unknown = only?.split(',').find((name) => !names.includes(name));
	if (unknown !== undefined) throw new UserError(`There is no scenario "${unknown}".\n\n${usage}`);
	const size = values.short ? 'short' : 'long';
	const chosen = scenarios.filter(
		(one) => one[size] && (only === undefined || only.split(',').includes(one.name)),
	);
	return {
		...values,
		usage,
		settings: readSettings(env),
		chosen: chosen.map((one) => ({ ...one, count: rows === undefined ? one[size] : Number(rows) })),
	};
}
