/** What the local Documenso knows from the start, read from its own source. */
export async function readSeed() {
	// Only now: on a fresh clone nothing was installed when this file was loaded.
	const { tsImport } = await import('tsx/esm/api');
	const { DEMO_TOKEN } = await tsImport('../emulator/index.ts', import.meta.url);
	const { RENTAL_AGREEMENT, MUTUAL_NDA } = await tsImport(
		'../emulator/seed/demo.ts',
		import.meta.url,
	);
	const templates = { rentalAgreement: RENTAL_AGREEMENT, mutualNda: MUTUAL_NDA };
	return { apiToken: DEMO_TOKEN, templates };
}
