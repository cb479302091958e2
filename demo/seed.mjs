/** What the local Documenso knows from the start, read from its own source. */
export async function readSeed() {
	// Only now: on a fresh clone nothing was installed when this file was loaded.
	const { tsImport } = await import('tsx/esm/api');
	const { DEMO_TOKEN } = await tsImport('../emulator/index.ts', import.meta.url);
	const { RENTAL_AGREEMENT } = await tsImport('../emulator/seed/demo.ts', import.meta.url);
	return { apiToken: DEMO_TOKEN, template: RENTAL_AGREEMENT };
}
