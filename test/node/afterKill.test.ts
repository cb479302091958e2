import type { IDataObject } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import { N8nProcess, thisProcess } from '../../nodes/shared/n8n/process';
import { processedData } from '../support/history';
import { USE, fillFromRow, tenants, useService, wholeRow } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const { calls, documents } = suite;

/** n8n was killed while the node created documents, and has started again so many seconds ago. */
async function killed(age = 110) {
	class Young extends N8nProcess {
		private readonly start = clock.uptime() - age * 1000;

		override uptime() {
			return clock.uptime() - this.start;
		}
	}
	const young = new Young();
	Object.assign(thisProcess, young, { uptime: () => young.uptime() });
	const place = { workflow: { id: 'workflow' }, node: { id: 'id-of-Documenso' } };
	await processedData.checkProcessedAndRecord(['note of the dead'], 'node', place as never, {
		mode: 'entries',
	});
	return young;
}

const choosing = (ifExternalIdExists: string, changes: IDataObject = {}): IDataObject => ({
	...fillFromRow,
	additionalFields: { ifExternalIdExists },
	...changes,
});
const row = (id: string) => ({ json: { ...wholeRow, 'External ID': id } });
const said = ({ error }: Awaited<ReturnType<typeof suite.run>>) =>
	error && `${error.message} ${error.description}`;

/** What the process that was killed has under way, which takes effect while the new one waits. */
function later(id: string) {
	void clock.sleep(3000).then(async () => await suite.run(choosing('create'), [row(id)]));
}

describe('rows that run again after n8n was killed in the middle', () => {
	test('are created once, when nothing can come any more', async () => {
		const young = await killed();
		const [made] = await suite.outputOf(choosing('skip'), [row('RA-1')]);
		expect(young.uptime()).toBeGreaterThan(120_000);
		expect(made).not.toHaveProperty('alreadyExisted');
		expect(documents()).toHaveLength(1);
	});

	test('have the document that comes meanwhile', async () => {
		await killed();
		later('RA-1');
		const [made] = await suite.outputOf(choosing('skip'), [row('RA-1')]);
		expect(made).toMatchObject({ alreadyExisted: true });
		expect(documents()).toHaveLength(1);
	});

	test('are refused with Fail if it comes meanwhile', async () => {
		await killed();
		later('RA-1');
		expect(said(await suite.run(choosing('fail'), [row('RA-1')]))).toContain('already has');
		expect(documents()).toHaveLength(1);
	});

	test.each(['skip', 'skipSame'])(
		'send with %s no draft of an earlier run that is for others',
		async (choice) => {
			await suite.outputOf(choosing('create', { send: false }), [row('RA-1')]);
			documents()[0]?.recipients.forEach((one, index) => {
				if (index === 0) one.email = 'else@example.com';
			});
			await killed();
			expect(said(await suite.run(choosing(choice), [row('RA-1')]))).toContain('else@example.com');
			expect(documents().map(({ status }) => status)).toEqual(['DRAFT']);
		},
	);

	test('send their draft of an earlier run at once, and say that it was there', async () => {
		await suite.outputOf(choosing('create', { send: false }), [row('RA-1')]);
		const young = await killed(60);
		const [sent] = await suite.outputOf(choosing('skip'), [row('RA-1')]);
		expect(sent).toMatchObject({ alreadyExisted: true, sentNow: true });
		expect(young.uptime()).toBeLessThan(120_000);
	});

	test('wait for nothing if the run before was refused meanwhile', async () => {
		await suite.outputOf(choosing('create'), [row('RA-3')]);
		const young = await killed();
		const refused = await suite.run(choosing('fail'), [row('RA-1'), row('RA-3')]);
		expect(said(refused)).toContain('Nothing was created');
		await young.sleep(12_000);
		await suite.outputOf(choosing('fail'), [row('RA-1')]);
		expect(calls(USE)).toHaveLength(2);
	});

	test('are created by a process that finds no note without waiting', async () => {
		const young = await killed(10);
		processedData.forget('workflow');
		await suite.outputOf(
			choosing('skip'),
			tenants(3).map(({ json }, index) => ({ json: { ...json, 'External ID': `RA-${index}` } })),
		);
		expect(young.uptime()).toBeLessThan(120_000);
	});
});
