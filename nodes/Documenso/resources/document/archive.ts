import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { clock } from '../../../shared/api/clock';
import { envelopeSchema } from '../../../shared/api/envelope';
import type { ByteStream } from '../../../shared/api/exchange';
import { parse } from '../../../shared/api/records';
import type { Item } from '../../../shared/n8n/item';
import { custom } from '../../engine/kinds';
import { picked } from '../../../shared/n8n/values';
import type { ItemOutput } from '../../engine/work';
import { auditLogOf } from '../../envelope/auditLog';
import { nameOfFile, stemOf } from '../../../shared/envelope/fileNames';
import {
	downloadFile,
	filesOf,
	paperOf,
	withFiles,
	type Download,
	type Paper,
} from '../../../shared/envelope/files';
import { changedBySigner, filledSchema, filledValues } from '../../../shared/envelope/filledValues';
import { readNamed } from '../../../shared/envelope/named';
import { simplifyEnvelope, simplifyRecipient } from '../../../shared/envelope/simplify';
import { notCompleted } from '../../envelope/version';
import { outputFile } from '../../inputs/files';
import { documentId } from '../../../shared/inputs/locators';

/**
 * What the files of a finished document are, by its status. Those of a rejected one are stamped, but signed by nobody
 * (documenso-api.md: Downloads).
 */
const KINDS: ReadonlyMap<string, string> = new Map([
	['COMPLETED', 'signed'],
	['REJECTED', 'rejected'],
	['CANCELLED', 'original'],
]);

const withTeam = envelopeSchema.pick({
	...{ id: true, externalId: true, title: true, status: true, team: true },
});

export const archive = custom({
	name: 'Archive',
	value: 'archive',
	action: 'Archive a document',
	description:
		'Download all there is to file of a finished document: its PDFs, certificate, audit log and values, with checksums',
	returns:
		'an item for each file, with `kind`, `size` and `sha256`; the last two are `manifest.json` and `SHA256SUMS`',
	effect: 'reads',
	inputs: { documentId, binaryPropertyName: outputFile },
	run: async ({ documentId: id, binaryPropertyName }, item) => {
		const { client } = item;
		const record = await readNamed(client, 'documentId', id);
		const document = parse(withTeam, record);
		const { title, status, team } = document;
		const nameOf = (what: string) => nameOfFile(document, `${stemOf(title)}_${what}`, 'json');
		const kind = KINDS.get(status);
		if (!kind) {
			throw notCompleted('Document', record, client, "use 'Download' with the version 'Original'");
		}
		const url = client.documentUrl({ id, team });
		const filing = new Filing(item, binaryPropertyName, { id, title, status, url });
		const log = await auditLogOf(client, id);
		const pdfs = pdfsOf(record, kind);
		const files = await client.each(pdfs, async (pdf) => await filing.download(pdf));
		const add = async (kind: string, fileName: string, content: unknown) =>
			files.push(await filing.write(kind, fileName, json(content), 'application/json'));
		await add('audit-log', nameOf('audit-log'), log);
		const filled = kind !== 'original' ? parse(filledSchema, record) : undefined;
		if (filled) {
			await add('values', nameOf('values'), filledValues(filled));
		}
		const { recipients: _recipients, ...about } = simplifyEnvelope(record);
		await add('manifest', 'manifest.json', {
			archivedAt: new Date(clock.now()).toISOString(),
			document: { ...about, url },
			recipients: recipientsOf(record, log),
			...(filled ? { changedBySigner: changedBySigner(filled) } : {}),
			files: files.map((file) => picked(file.json, ['fileName', 'kind', 'size', 'sha256'])),
		});
		const sums = files.map((file) => `${file.json.sha256}  ${file.json.fileName}\n`).join('');
		return [...files, await filing.write('checksums', 'SHA256SUMS', sums, 'text/plain')];
	},
});

function pdfsOf(record: IDataObject, kind: string): Download[] {
	const document = parse(withFiles, record);
	const version = kind === 'original' ? 'original' : 'signed';
	// Nobody gets a certificate of what was cancelled.
	const papers: Paper[] = kind === 'original' ? ['audit-log'] : ['certificate', 'audit-log'];
	return [
		...filesOf(document, version, `_${kind}`).map(({ envelopeItemId, download }) => ({
			...download,
			json: { kind, envelopeItemId },
		})),
		...papers.map((paper) => ({ ...paperOf(document, paper), json: { kind: paper } })),
	];
}

/** What an entry of the log tells of who did something, when and from where. */
const EVENT_KEYS = ['type', 'createdAt', 'name', 'email', 'ipAddress', 'userAgent'];

/** The recipients, each with the entries of the log that are about it. */
function recipientsOf({ recipients }: IDataObject, log: IDataObject[]): IDataObject[] {
	return (recipients as IDataObject[]).map((recipient) => {
		const events = log.filter(
			({ data }) => (data as IDataObject | null)?.recipientId === recipient.id,
		);
		return {
			...simplifyRecipient(recipient),
			events: events.map((entry) => picked(entry, EVENT_KEYS)),
		};
	});
}

function json(content: unknown): string {
	return `${JSON.stringify(content, undefined, '\t')}\n`;
}

interface Filed extends ItemOutput {
	json: IDataObject & { fileName: string; size: number; sha256: string };
}

/** Puts files into n8n's store, and knows what it has put there. */
class Filing {
	constructor(
		private readonly item: Item,
		private readonly property: string,
		/** The document, as every file's item tells it. */
		private readonly document: IDataObject,
	) {}

	async download(pdf: Download): Promise<Filed> {
		let checksum = new Checksum();
		const download = { ...pdf, json: { ...this.document, ...pdf.json } };
		const filed = await downloadFile(this.item, download, this.property, (bytes) => {
			// A download that breaks off begins anew.
			checksum = new Checksum();
			return checksum.over(bytes);
		});
		return { ...filed, json: { ...filed.json, ...checksum.result() } };
	}

	async write(kind: string, fileName: string, content: string, type: string): Promise<Filed> {
		const bytes = Buffer.from(content);
		const checksum = new Checksum();
		checksum.add(bytes);
		const { helpers } = this.item.context;
		const file = await helpers.prepareBinaryData(bytes, fileName, type);
		return {
			json: { ...this.document, kind, fileName, ...checksum.result() },
			binary: { [this.property]: file },
		};
	}
}

/** Of a file, while it passes. */
class Checksum {
	private readonly hash = createHash('sha256');
	private size = 0;

	add(bytes: Buffer) {
		this.hash.update(bytes);
		this.size += bytes.length;
	}

	/** The same stream, which is read only once. */
	over(stream: ByteStream): ByteStream {
		return stream.map((bytes: Buffer) => {
			this.add(bytes);
			return bytes;
		});
	}

	result() {
		return { size: this.size, sha256: this.hash.digest('hex') };
	}
}
