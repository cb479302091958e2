import type { Resource } from '../resource';
import { document } from './document';
import { template } from './template';

/** The only registry: what stands here is in the editor and runs. */
export const resources: Resource[] = [document, template];
