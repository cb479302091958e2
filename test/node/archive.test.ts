import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { hurry } from '../support/hurry';
import { bytesOf, itemWith, NODE_TYPE, useBinaryMode, type BinaryMode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines } from '../support/service';
import {
	createAndSend,
	ending,
	fillFromRow,
	signature,
	step,
	useService,
	wholeRow,
} from '../support/suite';

hurry();

const suite = useService({ seed: 'demo' });
const archive = (documentId: string) => step('document.archive', { documentId });

const namesOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.fileName as string);
/** Without what tells the files of one document from those of another. */
const bareNamesOf = (items: INodeExecutionData[]) =>
	items.map(({ json: { id, fileName } }) => (fileName as string).replace(ending(id), ''));
const kindsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.kind as string);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function archived(id: string) {
	const { items, error } = await suite.run(archive(id));
	if (error) throw error;
	return items;
}

async function fileOf(items: INodeExecutionData[], name: string): Promise<Buffer> {
	return await bytesOf(items[bareNamesOf(items).indexOf(name)]);
}

async function jsonOf(items: INodeExecutionData[], name: string) {
	return JSON.parse((await fileOf(items, name)).toString()) as IDataObject;
}

/** Writes the files of an archive into a new folder under their names, and checks them there, as whoever files them does. */
async function checkIn(items: INodeExecutionData[]): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'archive-'));
	try {
		for (const item of items) {
			const file = join(folder, item.binary?.data?.fileName ?? (item.json.fileName as string));
			await writeFile(file, await bytesOf(item), { flag: 'wx' });
		}
		expect((await readdir(folder)).sort()).toEqual(namesOf(items).sort());
		return execFileSync('sha256sum', ['--strict', '-c', 'SHA256SUMS'], { cwd: folder }).toString();
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** A document of several files, or of one. */
async function sent(titles: string[], changes: IDataObject = {}) {
	const content = await pdf('A lease');
	const files = titles.map((name, index) => [`file${index}`, { content, name }] as const);
	const item = await itemWith(Object.fromEntries(files));
	const binaryPropertyName = files.map(([field]) => field).join();
	const [made] = await suite.outputOf({ ...createAndSend, binaryPropertyName, ...changes }, [item]);
	const envelope = suite.service.store.envelopes.get(made?.id as string);
	if (!envelope) throw new Error('The document was not made');
	return envelope;
}

describe.each<BinaryMode>(['default', 'filesystem', 's3', 'combined'])(
	'with files kept in the mode %s',
	(mode) => {
		beforeAll(async () => await useBinaryMode(mode));
		afterAll(async () => await useBinaryMode('default'));

		test('a completed document has everything, and sha256sum finds every file as it was filed', async () => {
			const [made] = await suite.outputOf(fillFromRow, [{ json: wholeRow }]);
			const id = made?.id as string;
			await suite.complete(id);
			const items = await archived(id);
			expect(bareNamesOf(items)).toEqual([
				'Rental agreement_signed.pdf',
				'Rental agreement_certificate.pdf',
				'Rental agreement_audit-log.pdf',
				'Rental agreement_audit-log.json',
				'Rental agreement_values.json',
				'manifest.json',
				'SHA256SUMS',
			]);
			expect((await checkIn(items)).trim().split('\n')).toHaveLength(items.length - 1);
			for (const item of items) {
				const bytes = await bytesOf(item);
				expect(item.json).toMatchObject({ id, title: 'Rental agreement', status: 'COMPLETED' });
				expect(item.json).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
				expect(item.pairedItem).toEqual({ item: 0 });
			}
			const [file] = suite.service.store.envelopes.get(id)?.items ?? [];
			expect((await bytesOf(items[0])).equals((await file?.signed.read()) ?? Buffer.of())).toBe(
				true,
			);
			expect(await jsonOf(items, 'Rental agreement_values.json')).toMatchObject({ Rent: '900' });
		});
	},
);

test('the manifest has what signers made of values that were filled in beforehand', async () => {
	Object.assign(suite.field('address').fieldMeta ?? {}, { required: false });
	const [made] = await suite.outputOf(fillFromRow, [{ json: wholeRow }]);
	const id = made?.id as string;
	await suite.complete(id, { Rent: '950', Address: null });
	const by = { name: wholeRow['Tenant name'], email: wholeRow['Tenant email'] };
	const { changedBySigner } = await jsonOf(await archived(id), 'manifest.json');
	expect(changedBySigner).toEqual([
		{ field: 'Address', sent: wholeRow.Address, signed: null, by },
		{ field: 'Rent', sent: '900', signed: '950', by },
	]);
});

test('the manifest has the document, its recipients with what the log has of them, and the files', async () => {
	const { id, recipients } = await sent(['scan.pdf']);
	await suite.complete(id);
	const [tenant] = recipients;
	const log = suite.service.store.envelopes.get(id)?.auditLog ?? [];
	const signed = log.find(({ type }) => type === 'DOCUMENT_RECIPIENT_COMPLETED');
	if (!signed) throw new Error('Nobody has signed');
	signed.ipAddress = '203.0.113.7';
	log.push({ ...signed, id: 'new', type: 'DOCUMENT_RECIPIENT_FAXED' });

	const items = await archived(id);
	const manifest = await jsonOf(items, 'manifest.json');
	expect(manifest.document).toMatchObject({
		id,
		title: 'Lease',
		status: 'COMPLETED',
		url: `${suite.service.url}/t/demo/documents/${id}`,
	});
	expect(JSON.stringify(manifest)).not.toContain(tenant?.token);
	const [recipient] = manifest.recipients as IDataObject[];
	expect(recipient).toMatchObject({ email: 'tenant@example.com', signingStatus: 'SIGNED' });
	const events = recipient?.events as IDataObject[];
	expect(events).toContainEqual(
		expect.objectContaining({
			type: 'DOCUMENT_RECIPIENT_COMPLETED',
			email: 'tenant@example.com',
			ipAddress: '203.0.113.7',
			createdAt: signed.createdAt.toISOString(),
		}),
	);
	expect(events.at(-1)?.type).toBe('DOCUMENT_RECIPIENT_FAXED');
	expect(manifest.files).toEqual(
		items.slice(0, -2).map(({ json: { fileName, kind, size, sha256: sum } }) => ({
			fileName,
			kind,
			size,
			sha256: sum,
		})),
	);
	const entries = (await jsonOf(items, 'Lease_audit-log.json')) as unknown as IDataObject[];
	expect(entries.map(({ type }) => type)).toEqual(log.map(({ type }) => type));
});

test('a log of several pages is filed whole', async () => {
	const { id, auditLog } = await sent(['scan.pdf']);
	await suite.complete(id);
	const [first] = auditLog;
	if (!first) throw new Error('The log is empty');
	for (let entry = 0; entry < 250; entry++) auditLog.push({ ...first, id: `entry-${entry}` });
	const entries = (await jsonOf(await archived(id), 'Lease_audit-log.json')) as unknown;
	expect(entries).toHaveLength(auditLog.length);
});

describe('what is not completed', () => {
	test('of a rejected document, there is everything, and its file is not called signed', async () => {
		const { id, recipients } = await sent(['scan.pdf']);
		await suite.service.reject(recipients[0]?.token ?? '', 'Too expensive');
		await suite.service.settled();
		const items = await archived(id);
		expect(bareNamesOf(items)).toEqual([
			'Lease_rejected.pdf',
			'Lease_certificate.pdf',
			'Lease_audit-log.pdf',
			'Lease_audit-log.json',
			'Lease_values.json',
			'manifest.json',
			'SHA256SUMS',
		]);
		await checkIn(items);
		const { recipients: listed } = await jsonOf(items, 'manifest.json');
		expect(listed).toMatchObject([{ signingStatus: 'REJECTED', rejectionReason: 'Too expensive' }]);
	});

	test('of a cancelled document, there are the original and the log', async () => {
		const { id, items: files } = await sent(['scan.pdf']);
		const reason = 'Sold';
		await suite.outputOf(step('document.cancel', { documentId: id }, { reason }));
		const items = await archived(id);
		expect(bareNamesOf(items)).toEqual([
			'Lease_original.pdf',
			'Lease_audit-log.pdf',
			'Lease_audit-log.json',
			'manifest.json',
			'SHA256SUMS',
		]);
		await checkIn(items);
		const original = await files[0]?.original.read();
		expect((await bytesOf(items[0])).equals(original ?? Buffer.of())).toBe(true);
		expect((await fileOf(items, 'Lease_audit-log.json')).toString()).toContain(reason);
	});

	test.each(['DRAFT', 'PENDING', 'ON_HOLD'])('a document that is %s is refused', async (status) => {
		const envelope = await sent(['scan.pdf']);
		Object.assign(envelope, { status });
		suite.service.calls.length = 0;
		const { error, items } = await suite.run(archive(envelope.id));
		expect(items).toEqual([]);
		expect(error?.message).toContain(`isn't completed yet (status: ${status.toLowerCase()})`);
		expect(error?.message.includes('waits for Tina (tenant@example.com)')).toBe(
			status === 'PENDING',
		);
		expect(error?.description).toMatch(/Send and Wait.*'Document Completed'.*'Original'/);
		expect(lines(suite.service)).toEqual([`GET /envelope/${envelope.id}`]);
	});
});

test('a refusal names the first of those who have not acted, and counts the others', async () => {
	const roles = ['SIGNER', 'CC', 'VIEWER', 'SIGNER', 'APPROVER', 'SIGNER', 'SIGNER', 'SIGNER'];
	const recipient = roles.map((role, index) => ({ email: `r${index}@example.com`, role }));
	const field = [0, 3, 5, 6, 7].map((index) => ({
		...signature,
		recipient: `r${index + 1}`,
		positionY: 10 * index,
	}));
	const { id, recipients } = await sent(['scan.pdf'], {
		recipients: { recipient },
		fields: { field },
	});
	await suite.service.sign(recipients[0]?.token ?? '');
	const { error } = await suite.run(archive(id));
	expect(error?.message).toContain(
		': it waits for r2@example.com, r3@example.com, r4@example.com, r5@example.com, r6@example.com, 1 more [item 0]',
	);
});

test('between the last signature and the signed file, a refusal says that Documenso is at work', async () => {
	const { id, recipients } = await sent(['scan.pdf']);
	Object.assign(recipients[0] ?? {}, { signingStatus: 'SIGNED' });
	const { error } = await suite.run(archive(id));
	expect(error?.message).toContain(
		': nobody has to act any more, and Documenso is still finishing it',
	);
});

test('an agent sees no addresses, and no links to sign', async () => {
	const { id, recipients } = await sent(['scan.pdf']);
	const tool = { type: `${NODE_TYPE}Tool` };
	const refused = await suite.run(archive(id), undefined, tool);
	expect(refused.error?.message).not.toContain('tenant@example.com');
	await suite.complete(id);
	const { items } = await suite.run(archive(id), undefined, tool);
	expect(kindsOf(items)).toContain('signed');
	expect(JSON.stringify(items.map(({ json }) => json))).not.toMatch(
		new RegExp(`tenant@example|${recipients[0]?.token}`),
	);
});

describe('one whole archive, or none', () => {
	test.each([
		['a page of a proxy’s', { status: 200, body: '<html>Log in</html>' }, 'is not a PDF'],
		['an error', { status: 500, body: { error: 'Something went wrong' } }, 'Something went wrong'],
	])('%s in the place of the certificate is an error', async (_, answer, message) => {
		const { id } = await sent(['scan.pdf']);
		await suite.complete(id);
		suite.service.fail({ match: 'GET /envelope/*/certificate/download', times: 9, ...answer });
		const { error, items } = await suite.run(archive(id));
		expect(error?.message).toContain(message);
		expect(items).toEqual([]);
	});

	test('a file that breaks off is an error', async () => {
		const { id } = await sent(['scan.pdf']);
		await suite.complete(id);
		suite.service.intercept('GET *download', async ({ pass }) => {
			const { body } = await pass();
			return (response) => {
				response.writeHead(200, { 'content-length': body.length });
				response.write(body.subarray(0, -1), () => response.destroy());
			};
		});
		const { error, items } = await suite.run(archive(id));
		expect(error?.message).toMatch(/^The connection to Documenso at .* failed$/);
		expect(items).toEqual([]);
	});
});

describe('names', () => {
	/** The names of what a completed document has, which sha256sum can check. */
	async function names(title: string, files: string[]) {
		const envelope = await sent(files.map(() => 'scan.pdf'));
		await suite.complete(envelope.id);
		envelope.title = title;
		envelope.items.forEach((item, index) => (item.title = files[index] ?? ''));
		const items = await archived(envelope.id);
		await checkIn(items);
		expect(namesOf(await archived(envelope.id))).toEqual(namesOf(items));
		return bareNamesOf(items.filter(({ json }) => json.kind === 'signed'));
	}

	test('files of several have their own titles, too, with a number where these are alike', async () => {
		expect(await names('Lease', ['Annex.pdf', 'annex', 'Annex (2)', 'certificate', 'a/b'])).toEqual(
			[
				'Lease - Annex_signed.pdf',
				'Lease - annex (2)_signed.pdf',
				'Lease - Annex (2) (2)_signed.pdf',
				'Lease - certificate_signed.pdf',
				'Lease - a_b_signed.pdf',
			],
		);
	});

	test.each([
		['../../etc/passwd', '_.._etc_passwd_signed.pdf'],
		['C:\\Windows\\x\n\\nul', 'C__Windows_x_nul_signed.pdf'],
		['NUL.pdf', '_NUL_signed.pdf'],
		['. . ', 'document_signed.pdf'],
		['-rf *', 'rf __signed.pdf'],
		['Lease\u202Efdp.exe', 'Leasefdp.exe_signed.pdf'],
	])('the title %j is safe', async (title, name) => {
		expect(await names(title, ['scan.pdf'])).toEqual([name]);
	});

	test('a title is cut where the name would be too long for a file system', async () => {
		const [one, two] = await names('契'.repeat(255), ['約'.repeat(255), '約'.repeat(254)]);
		expect(one).toBe(`${'契'.repeat(28)} - ${'約'.repeat(28)}_signed.pdf`);
		expect(two).toBe(`${'契'.repeat(28)} - ${'約'.repeat(28)} (2)_signed.pdf`);
	});

	test.each([
		['RA-2027-001', 'RA-2027-001'],
		[' Müller & Söhne ', 'Müller & Söhne'],
		['a/b', 'a_b {end}'],
		['契'.repeat(80), `${'契'.repeat(13)} {end}`],
		['n8n:1:abc:0123abcd:0:0', '{end}'],
		['..', '{end}'],
	])('of a document with the External ID %j end with %j', async (externalId, end) => {
		const envelope = await sent(['scan.pdf']);
		await suite.complete(envelope.id);
		envelope.externalId = externalId;
		const items = await archived(envelope.id);
		await checkIn(items);
		const expected = end.replace('{end}', envelope.id.slice(-8));
		expect(namesOf(items)[0]).toBe(`Lease_signed (${expected.trim()}).pdf`);
	});

	test('of two contracts with one title are never the same', async () => {
		const all: string[] = [];
		for (const externalId of ['a/b', 'a_b', 'a:b', '', '']) {
			const envelope = await sent(['scan.pdf']);
			await suite.complete(envelope.id);
			envelope.externalId = externalId;
			all.push(...namesOf((await archived(envelope.id)).slice(0, -2)));
		}
		expect(new Set(all).size).toBe(all.length);
	});

	test('an original titled as the certificate does not get its name', async () => {
		const { id } = await sent(['certificate.pdf', 'audit-log.pdf']);
		await suite.complete(id);
		const options = { alsoDownload: ['certificate', 'audit-log'] };
		const originals = { version: 'original', options };
		const { items } = await suite.run(step('document.download', { documentId: id }, originals));
		expect(new Set(namesOf(items)).size).toBe(4);
	});
});

test('each item’s document gets its own archive', async () => {
	const ids = [(await sent(['a.pdf'])).id, (await sent(['b.pdf'], { title: 'Other' })).id];
	for (const id of ids) await suite.complete(id);
	const rows = ids.map((id) => ({ json: { id } }));
	const { items } = await suite.run(archive('={{ $json.id }}'), rows);
	for (const [item, id] of ids.entries()) {
		const own = items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item);
		expect(new Set(own.map(({ json }) => json.id))).toEqual(new Set([id]));
		expect(kindsOf(own).at(-1)).toBe('checksums');
		await checkIn(own);
	}
});
