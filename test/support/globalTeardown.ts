import { rmSync } from 'node:fs';

export default function removeFolder() {
	const { TESTS_FOLDER: folder } = process.env;
	if (folder) rmSync(folder, { recursive: true, force: true });
}
