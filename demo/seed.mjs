/** The API token and templates that the local Documenso starts with, read from its source. */
export async function readSeed() {
	// Imported here, because on a fresh clone nothing is installed when this file loads.
	const { tsImport } = await import('tsx/esm/api');
	const { DEMO_TOKEN } = await tsImport('../emulator/index.ts', import.meta.url);
	const { RENTAL_AGREEMENT, MUTUAL_NDA, EMPLOYMENT_CONTRACT } = await tsImport(
		'../emulator/seed/demo.ts',
		import.meta.url,
	);
	const templates = {
		rentalAgreement: RENTAL_AGREEMENT,
		mutualNda: MUTUAL_NDA,
		employmentContract: EMPLOYMENT_CONTRACT,
	};
	return { apiToken: DEMO_TOKEN, templates };
}
