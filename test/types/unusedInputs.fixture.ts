/** Operations that leave inputs unread in each way that is possible; those named `unused…` must be reported. */
import { post } from '../../nodes/shared/api/request';
import { collection, rows } from '../../nodes/shared/n8n/collections';
import { flag, notice, shownFor, text } from '../../nodes/shared/n8n/input';
import { custom, perItem } from '../../nodes/Documenso/engine/kinds';
import { Refusal } from '../../nodes/shared/n8n/refusal';

const described = {
	name: 'Add',
	value: 'add',
	action: 'Add something',
	description: 'Add something',
	returns: 'something',
	effect: 'adds',
} as const;

const shared = { first: text('First'), unusedOfGroup: text('Second') };

export const destructured = perItem({
	...described,
	inputs: {
		title: text('Title'),
		unused: text('Unused'),
		notice: notice('A text for the eyes'),
		unusedFields: collection('Fields', { unusedInside: text('Unused') }),
		mode: flag('Mode', true),
		...shownFor('mode', [true], { shown: text('Shown'), unusedShown: text('Unused') }),
	},
	request: ({ title: name, shown }) => post('/something', { name, shown }),
});

export const passedOn = custom({
	...described,
	inputs: {
		...shared,
		name: text('Name'),
		unusedByName: text('Unused'),
		lines: rows(
			'Lines',
			{ displayName: 'Line', name: 'line' },
			{ key: text('Key'), unusedKey: text('Unused') },
		),
		fields: collection('Fields', { subject: text('Subject'), message: text('Message') }),
		restOfIt: collection('Others', { copied: text('Copied') }),
	},
	run: async ({ lines, fields, ...given }, { client }) => {
		if (given.first === '')
			throw new Refusal(`${lines.map(({ key }) => key).join()} ${nameOf(given)}`);
		return [{ json: await client.post('/something', { ...given.restOfIt, fields }) }];
	},
});

function nameOf({ name }: { name: string }) {
	return name;
}
