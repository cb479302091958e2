// Kept to old syntax and built-ins: it must be able to say its sentence on a Node that is too old.
var version = process.versions.node.split('.').map(Number);

if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
	console.error('The demo needs Node 20.19 or newer; this is Node ' + process.versions.node + '.');
	process.exit(1);
}

import('./run.mjs').then(function (demo) {
	return demo.main(process.argv.slice(2));
});
