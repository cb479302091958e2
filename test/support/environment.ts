import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core keeps its settings and binary files here; without it, it would use the developer's own n8n.
process.env.N8N_USER_FOLDER = mkdtempSync(
	join(process.env.TESTS_FOLDER ?? tmpdir(), 'n8n-nodes-documenso-'),
);
process.env.N8N_ENCRYPTION_KEY = 'only for tests';
process.env.N8N_LOG_LEVEL = 'silent';
