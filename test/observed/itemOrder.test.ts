import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { beforeCall } from '../support/polling';
import { automatic, byId, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
let stop = () => {};
afterEach(() => stop());

/** The calls for it take longer, so that those for later items are answered before. */
function delay(id: string) {
	stop = beforeCall(suite.service, (line) => {
		if (line.includes(id)) suite.service.fail({ delayMs: 700 });
	});
}

const use: IDataObject = {
	resource: 'template',
	operation: 'createDocument',
	columns: automatic,
};
const tina = { 'Tenant email': 'tina@example.com' };

describe('13.12 Bad items are named in their order', () => {
	test('the error that stops the node is that of the first bad item, whichever failed soonest', async () => {
		const ids = ['envelope_first', 'envelope_second', 'envelope_third'];
		delay('envelope_first');
		const { error } = await suite.run(
			{
				resource: 'document',
				operation: 'update',
				documentId: byId('={{ $json.id }}'),
				updateFields: { title: 'New' },
			},
			ids.map((id) => ({ json: { id } })),
		);
		expect(error?.message).toBe('There is no document with the ID envelope_first');
		expect(error?.context?.itemIndex).toBe(0);
	});

	test('an error that several items share names the first of them', async () => {
		const parameters = {
			...use,
			options: { checkAllFirst: false },
			templateId: byId('={{ $json.id }}'),
		};
		const ids = [RENTAL_AGREEMENT.id, 'envelope_unknown', 'envelope_unknown'];
		const { error } = await suite.run(
			parameters,
			ids.map((id) => ({ json: { ...tina, id } })),
		);
		expect(error?.context?.itemIndex).toBe(1);
	});

	test('all items that cannot be used are listed in their order, each by its own number', async () => {
		delay('envelope_slow');
		const rows = [
			{ id: 'envelope_slow' },
			{ id: RENTAL_AGREEMENT.id, Rent: 'much' },
			{ id: 'envelope_fast' },
			{ id: RENTAL_AGREEMENT.id, Rent: '1' },
			{ id: 'envelope_fast' },
		];
		const { error } = await suite.run(
			{ ...use, templateId: byId('={{ $json.id }}') },
			rows.map((row) => ({ json: { ...tina, ...row } })),
		);
		expect(error?.message).toBe('4 of 5 items cannot be used, so nothing was created');
		expect(error?.description?.split('<br>').slice(0, 4)).toEqual([
			'Item 0: There is no template with the ID envelope_slow',
			`Item 1: 'Rent' is a number field, but "much" is text`,
			'Item 2: There is no template with the ID envelope_fast',
			'Item 4: There is no template with the ID envelope_fast',
		]);
	});
});
