/** How many rows have a document, and how many documents are too many. Each row has an external ID. */
export async function completed({ emulator }) {
	const { documents } = await emulator.state();
	const rows = new Set(documents.map(({ externalId }) => externalId));
	return { completed: rows.size, duplicates: documents.length - rows.size };
}
