/** The error that `action` throws; fails when it throws none. */
export async function errorOf(action: () => unknown): Promise<Error & { description?: string }> {
	try {
		await action();
	} catch (error) {
		return error as Error;
	}
	throw new Error('Nothing was thrown');
}
