// `npm test`: installs what is missing, and runs jest with the arguments given.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installDevelopmentPackages } from '../n8n-host/install.mjs';

// On a fresh clone nothing is installed yet, so only Node's own modules are imported above.
const logDir = mkdtempSync(join(tmpdir(), 'n8n-nodes-documenso-install-'));
// If it fails, its message names the log.
await installDevelopmentPackages(logDir);
rmSync(logDir, { recursive: true });
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const { status } = spawnSync(process.execPath, [jest, ...process.argv.slice(2)], {
	stdio: 'inherit',
});
process.exitCode = status ?? 1;
