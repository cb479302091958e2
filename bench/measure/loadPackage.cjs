// Prints how many milliseconds it takes to load a package. n8n has loaded these two before.
require('n8n-workflow');
require('zod');

const { join } = require('node:path');

const folder = process.argv[2];
const { n8n } = require(join(folder, 'package.json'));

const started = performance.now();
for (const file of [...n8n.credentials, ...n8n.nodes]) require(join(folder, file));
console.log(performance.now() - started);
