import type { Resource } from '../../engine/resource';
import { add } from './add';
import { remove } from './delete';
import { get } from './get';
import { getSigningLink } from './getSigningLink';
import { rejectOnBehalf } from './rejectOnBehalf';
import { update } from './update';

export const recipient: Resource = {
	name: 'Recipient',
	value: 'recipient',
	operations: [add, remove, get, getSigningLink, rejectOnBehalf, update],
	default: 'add',
};
