import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every suite keeps its n8n folder in this one, which is removed at the end of the run. */
export default function makeFolder() {
	process.env.TESTS_FOLDER = mkdtempSync(join(tmpdir(), 'n8n-nodes-documenso-test-'));
}
