// Old syntax and built-ins only, so that a Node that is too old can print the message below.
var version = process.versions.node.split('.').map(Number);

if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
	console.error('The demo needs Node 20.19 or newer; this is Node ' + process.versions.node + '.');
	process.exit(1);
}

import('./run.mjs').then(function (demo) {
	return demo.main(process.argv.slice(2));
});
