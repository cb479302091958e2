/** What `run.mjs` has started for the suites of a worker of jest. */
interface Host {
	n8nUrl: string;
	/** The session of n8n's owner. */
	n8nCookie: string;
	/** Opens n8n's list of workflows, and signs its owner in. */
	n8nSignIn: string;
	documensoUrl: string;
	chromium: string;
	/** A folder for screenshots, logs and the data of n8n. */
	pictures: string;
	/** A folder that n8n's nodes may read and write. */
	files: string;
	/** What another n8n is started with: the Node to run it, and the packed package. */
	node: string;
	packageTarball: string;
}

export const host = ofThisWorker();

function ofThisWorker(): Host {
	const { E2E_HOSTS: hosts = '[]', JEST_WORKER_ID: worker } = process.env;
	const found = (JSON.parse(hosts) as Host[])[Number(worker) - 1];
	if (!found) throw new Error('Run the end-to-end tests with: npm run test:e2e');
	return found;
}
