import type { Resource } from '../engine/resource';
import { attachment } from './attachment';
import { directLink } from './directLink';
import { document } from './document';
import { embedToken } from './embedToken';
import { field } from './field';
import { file } from './file';
import { folder } from './folder';
import { recipient } from './recipient';
import { template } from './template';
import { templateDeprecated } from './templateDeprecated';

/** The only registry: the editor shows these, in the order of use, and the node runs them. */
export const resources: Resource[] = [
	document,
	template,
	recipient,
	field,
	file,
	folder,
	attachment,
	directLink,
	embedToken,
	templateDeprecated,
];
