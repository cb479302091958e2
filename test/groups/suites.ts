import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const TESTS = join(__dirname, '..');

/** Runs the suites of some folders in one file. Those in which time is hurried have a group of their own. */
export function runSuites(folders: string[], isHurried = false) {
	for (const folder of folders) {
		for (const name of readdirSync(join(TESTS, folder)).filter((one) => one.endsWith('.test.ts'))) {
			const file = join(TESTS, folder, name);
			const hurries = readFileSync(file, 'utf8').includes("'../support/hurry'");
			// eslint-disable-next-line @typescript-eslint/no-require-imports
			if (hurries === isHurried) describe(relative(TESTS, file), () => void require(file));
		}
	}
}
