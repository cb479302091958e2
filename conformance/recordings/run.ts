import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readRecordings } from './recordings';
import { replay } from './replay';
import { describeResult, compareWithKnown } from './report';

const LISTED = join(__dirname, 'differences.json');

/** Replays a folder of recordings, prints the report, and returns the exit code. */
export async function conformance(
	folder: string | undefined,
	print: (text: string) => void,
	listedPath = LISTED,
): Promise<0 | 1 | 2> {
	if (!folder || !(await exists(folder))) {
		print(
			folder
				? `There are no captures/ and webhooks/ in the folder "${folder}".`
				: 'npm run conformance -- <a folder with captures/ and webhooks/>',
		);
		return 2;
	}
	const listed = z.record(z.string()).parse(JSON.parse(await readFile(listedPath, 'utf8')));
	const recordings = await readRecordings(folder);
	const result = await replay(recordings);
	print(
		describeResult(
			result,
			recordings.deliveries.map(({ name }) => name),
			listed,
		),
	);
	const { unexpected, vanished } = compareWithKnown(result.differences, listed);
	return unexpected.length + vanished.length > 0 ? 1 : 0;
}

async function exists(folder: string): Promise<boolean> {
	const parts = ['captures', 'webhooks'].map(async (part) => await access(join(folder, part)));
	return await Promise.all(parts).then(
		() => true,
		() => false,
	);
}

if (require.main === module) {
	void conformance(process.argv[2], (text) => process.stdout.write(`${text}\n`)).then((code) => {
		process.exitCode = code;
	});
}
