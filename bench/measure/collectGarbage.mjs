// Preloaded into n8n, so that a measurement does not start with the garbage of the previous one.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
process.on('SIGUSR2', runInNewContext('gc'));
