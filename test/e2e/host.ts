/** What `run.mjs` has started for all suites. */
export const host = {
	n8nUrl: variable('E2E_N8N_URL'),
	/** The session of n8n's owner. */
	n8nCookie: variable('E2E_N8N_COOKIE'),
	/** Opens n8n's list of workflows, and signs its owner in. */
	n8nSignIn: variable('E2E_N8N_SIGN_IN'),
	documensoUrl: variable('E2E_DOCUMENSO_URL'),
	chromium: variable('E2E_CHROMIUM'),
	pictures: variable('E2E_PICTURES'),
	/** A folder that n8n's nodes may read and write. */
	files: variable('E2E_FILES'),
	/** What another n8n is started with: the Node to run it, and the packed package. */
	node: variable('E2E_NODE'),
	packageTarball: variable('E2E_PACKAGE'),
};

function variable(name: string): string {
	const value = process.env[name];
	if (!value) throw new Error('Run the end-to-end tests with: npm run test:e2e');
	return value;
}
