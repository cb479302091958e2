import { UserError } from '../n8n-host/userError.mjs';
import { readFlags } from '../n8n-host/flags.mjs';

export const usage = `npm start                     n8n, the local Documenso and an inbox, until Ctrl-C
npm start -- --once           runs the workflow and signs by itself; exit code 0 if all documents are filed

  --n8n-port <port>           default 5678
  --documenso-port <port>     default 4010
  --inbox-port <port>         default 4020`;

const flags = {
	help: { type: 'boolean', short: 'h' },
	once: { type: 'boolean' },
	'n8n-port': { type: 'string' },
	'documenso-port': { type: 'string' },
	'inbox-port': { type: 'string' },
};

const defaultPorts = { n8n: 5678, documenso: 4010, inbox: 4020 };

/** With `--once`, a port that was not set is undefined, and any free one is used. */
export function readOptions(args) {
	const values = readFlags(args, flags, usage);
	const port = (service) => {
		const text = values[`${service}-port`];
		if (text === undefined) return values.once ? undefined : defaultPorts[service];
		if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65535) return Number(text);
		throw new UserError(`--${service}-port must be a number from 1 to 65535, not "${text}".`);
	};

	return {
		help: values.help === true,
		once: values.once === true,
		ports: { n8n: port('n8n'), documenso: port('documenso'), inbox: port('inbox') },
	};
}
