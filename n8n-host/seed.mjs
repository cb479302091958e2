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

/** The templates with their columns as the editor lists them; the local Documenso has to run. */
export async function withColumns(templates, { url }, apiToken) {
	const { tsImport } = await import('tsx/esm/api');
	const { columnInputs } = await tsImport(
		'../nodes/Documenso/template/columnInputs.ts',
		import.meta.url,
	);
	const { envelopeSchema } = await tsImport('../nodes/shared/api/envelope.ts', import.meta.url);
	const { templateOf } = await tsImport('../nodes/Documenso/template/columns.ts', import.meta.url);
	const entries = Object.entries(templates).map(async ([name, template]) => {
		const response = await fetch(`${url}/api/v2/envelope/${template.id}`, {
			headers: { authorization: apiToken },
		});
		const envelope = envelopeSchema.parse(await response.json());
		return [name, { ...template, columns: columnInputs(templateOf(envelope)) }];
	});
	return Object.fromEntries(await Promise.all(entries));
}
