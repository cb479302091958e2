import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { examples } from '../n8n-host/paths.mjs';

const DAY_MS = 86_400_000;

const inDays = (days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const person = (name, email, company) => ({
	...{ 'Signer name': name, 'Signer email': email, Company: company },
	...{ Status: '', Page: '', 'Signed on': '' },
});

const lease = (id, endDate, name, email) => ({
	...{ 'External ID': id, 'End date': endDate, Renewal: '', 'Renewal page': '' },
	...{ 'Tenant name': name, 'Tenant email': email },
	...{ Address: 'Flat 3, 12 Quay Street, Bristol', Rent: '1250', Payment: 'Card' },
});

/** Stands for what an account would do, in the place of its output. */
const wouldDo = (what) => [{ 'In the demo': `No account is needed. ${what}` }];

async function invoice() {
	const file = await readFile(join(examples, 'service-agreement.pdf'));
	const attachment = {
		...{ data: file.toString('base64'), mimeType: 'application/pdf' },
		...{ fileName: 'invoice.pdf', fileExtension: 'pdf', fileType: 'pdf' },
	};
	return {
		json: { id: 'demo', subject: 'Invoice for paper' },
		binary: { attachment_0: attachment },
	};
}

/** Pinned data: n8n uses it as the output of nodes that need an account. By file and node. */
export const pinned = {
	'ndas-for-a-list.json': async () => ({
		'Read the list': [
			person('Nora Novak', 'nora@example.com', 'Novak & Sons'),
			person('Zoë Brontë', 'zoe.bronte@example.com', 'Brontë Ltd'),
		],
		'Write the status back': wouldDo('The sheet would show the status and the page of each NDA.'),
		'Note the signature': wouldDo('The sheet would show who has signed, and when.'),
	}),
	'renew-leases.json': async () => ({
		'Read the leases': [
			lease('RA-1', inDays(30), 'Nora Novak', 'nora@example.com'),
			lease('RA-2', inDays(90), 'Zoë Brontë', 'zoe.bronte@example.com'),
		],
		'Note the renewal': wouldDo('The sheet would show the renewal and its page.'),
	}),
	'approve-incoming-invoices.json': async () => ({
		'When an invoice arrives': [await invoice()],
		'Tell what was not sent': wouldDo('The channel would be told.'),
		'Send it to accounting': wouldDo('Accounting would get the approved invoice.'),
		'Tell who rejected it': wouldDo('The channel would be told.'),
	}),
	'quote-to-invoice.json': async () => ({
		'Tell sales how it ended': wouldDo('The channel would be told.'),
		'Tell sales to call': wouldDo('The channel would be told.'),
	}),
};
