import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(fileURLToPath(import.meta.url), '..', '..');
export const examples = join(root, 'examples');
export const n8nFolder = join(root, 'n8n-host', 'n8n');
