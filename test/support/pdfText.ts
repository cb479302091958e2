import { deflateSync } from 'node:zlib';

import type { Random } from '../../emulator/random';

/** PDFs written by hand, each character a byte; the trailer wants the catalog as object 1. */
export const HEADER = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
/** An end that leads to no table: the objects have to be searched for. */
const END = 'startxref\n0\n%%EOF\n';
const ENTRIES = '/Size 99/Root 1 0 R';
export const TRAILER = `trailer\n<<${ENTRIES}>>\n${END}`;
export const XREF_STREAM = stream(98, '', `/Type/XRef/W[1 2 1]${ENTRIES}`) + END;

export function object(number: number, body: string): string {
	return `${number} 0 obj\n${body}\nendobj\n`;
}

export function stream(number: number, data: string, entries = '', length?: string): string {
	const dictionary = `<<${entries}/Length ${length ?? data.length}>>`;
	return object(number, `${dictionary}\nstream\n${data}\nendstream`);
}

export const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const FIRST_PAGE = 11;
const kids = (count: number) => Array.from({ length: count }, (_, page) => FIRST_PAGE + page);
export const tree = (count: number, entries = `/Count ${count}`) =>
	`<</Type/Pages/Kids[${kids(count)
		.map((kid) => `${kid} 0 R`)
		.join(' ')}]${entries}>>`;

/** So many pages of a tree. */
export const leaves = (count: number, entries = '/MediaBox[0 0 595 842]') =>
	kids(count)
		.map((kid) => object(kid, `<</Type/Page/Parent 2 0 R${entries}>>`))
		.join('');

/** The catalog, a tree of so many pages, more objects, and the trailer. */
export function document(count: number, ...more: string[]): string {
	const pages = [object(1, CATALOG), object(2, tree(count)), leaves(count)];
	return [HEADER, ...pages, ...more, TRAILER].join('');
}

/** The entries of an object stream, and its content. */
export function packed(bodies: Record<number, string>) {
	const numbers = Object.keys(bodies);
	let offset = 0;
	const head = numbers.map((number) => {
		const place = `${number} ${offset} `;
		offset += (bodies[Number(number)]?.length ?? 0) + 1;
		return place;
	});
	const entries = `/Type/ObjStm/N ${numbers.length}/First ${head.join('').length}`;
	return { entries, content: `${head.join('')}${Object.values(bodies).join(' ')} ` };
}

export function deflated(content: string): string {
	return deflateSync(Buffer.from(content, 'latin1')).toString('latin1');
}

export function objectStream(number: number, bodies: Record<number, string>): string {
	const { entries, content } = packed(bodies);
	return stream(number, deflated(content), `${entries}/Filter/FlateDecode`);
}

/** A row of a table: 0 for nothing, 1 for an object in the file, 2 for one in a stream. */
type Row = [kind: number, place: number, more: number];

/** Writes a PDF as programs do, with tables that say where its objects are. */
export class Writer {
	text = HEADER;
	private rows = new Map<number, Row>();
	private before = '';

	add(number: number, text: string): this {
		this.rows.set(number, [1, this.text.length, 0]);
		this.text += text;
		return this;
	}

	pack(number: number, bodies: Record<number, string>): this {
		this.add(number, objectStream(number, bodies));
		for (const [index, packed] of Object.keys(bodies).entries()) {
			this.rows.set(Number(packed), [2, number, index]);
		}
		return this;
	}

	/** Has the table say something else. */
	say(number: number, ...row: Row): this {
		this.rows.set(number, row);
		return this;
	}

	/** Ends the file, or a version of it, with a plain table, or one in a stream. */
	end(kind: 'plain' | 'packed' | 'predicted' = 'plain', entries = ENTRIES): this {
		const start = this.text.length;
		const trailer = entries + this.before;
		if (kind === 'plain') this.text += `xref\n${this.plainRows()}trailer\n<<${trailer}>>\n`;
		else this.text += this.packedRows(trailer, kind === 'predicted');
		this.text += `startxref\n${start}\n%%EOF\n`;
		this.before = `/Prev ${start}`;
		this.rows = new Map();
		return this;
	}

	private plainRows(): string {
		const rows = [...this.rows].map(([number, [kind, place]]) => {
			const end = kind === 0 ? '65535 f' : '00000 n';
			return `${number} 1\n${String(place).padStart(10, '0')} ${end} \n`;
		});
		return `0 1\n0000000000 65535 f \n${rows.join('')}`;
	}

	private packedRows(trailer: string, isPredicted: boolean): string {
		const rows = [...this.rows.values()].map(([kind, place, more]) => {
			const row = Buffer.alloc(8);
			row.writeUInt8(kind);
			row.writeUInt32BE(place, 1);
			row.writeUIntBE(more, 5, 3);
			return row;
		});
		const index = [...this.rows.keys()].map((number) => `${number} 1`).join(' ');
		const own = `/Type/XRef/W[1 4 3]/Index[${index}]/Filter/FlateDecode${trailer}`;
		const predictor = '/DecodeParms<</Predictor 12/Columns 8>>';
		const data = isPredicted ? rows.map(differences) : rows;
		const content = deflated(Buffer.concat(data).toString('latin1'));
		return stream(98, content, isPredicted ? own + predictor : own);
	}
}

/** A row as PNG stores it: every second one as the differences from the one above. */
function differences(row: Buffer, index: number, rows: Buffer[]): Buffer {
	const kind = index % 2 > 0 ? 2 : 0;
	const above = kind > 0 ? rows[index - 1] : undefined;
	return Buffer.from([kind, ...row.map((byte, at) => (byte - (above?.[at] ?? 0)) & 0xff)]);
}

/** What has to be passed over in a dictionary. */
const NOISE = [
	'/T(a \\) >> endobj \\\\(b) stream)',
	'/U<2F54797065>',
	'%>> /Count 99 (\n',
	'/X[1 2[3 0 R]<</Count 99/Kids[]/Type/Pages>>(])]',
	'/N#61me/V#2Flue',
	'/E<>/F()',
	'/Y null',
	' \r\n\t\0 ',
];

/** A document with pages in a tree, changed a few times, written in as many ways as there are. */
export function randomDocument(random: Random): string {
	const writer = new Writer();
	let free = 100;
	const noise = () => NOISE[random.below(NOISE.length)] ?? '';
	const branch = (bodies: Map<number, string>, number: number, depth: number, parent: string) => {
		const kids = Array.from({ length: random.below(5) + (depth === 0 ? 1 : 0) }, () => free++);
		const isPage = (kid: number) => depth === 3 || kid % 3 > 0;
		const counts = kids.map((kid): number => {
			const its = `/Parent ${number} 0 R`;
			if (!isPage(kid)) return branch(bodies, kid, depth + 1, its);
			bodies.set(kid, `<<${noise()}/Type/Page${its}${noise()}/MediaBox[0 0 9 9]>>`);
			return 1;
		});
		const count = counts.reduce((sum, one) => sum + one, 0);
		const refs = kids.map((kid) => `${kid} 0 R`).join(' ');
		const entries = [`/Type/Pages`, `/Kids[${refs}]`, `/Count ${count}`, parent, noise()];
		bodies.set(number, `<<${random.shuffle(entries).join('')}>>`);
		return count;
	};
	for (let revision = random.below(3); revision >= 0; revision--) {
		const bodies = new Map([[1, `<<${noise()}/Pages 2 0 R${noise()}/Type/Catalog>>`]]);
		branch(bodies, 2, 0, '');
		const kind = (['plain', 'packed', 'predicted'] as const)[random.below(3)] ?? 'plain';
		const plain: Array<[number, string]> = [];
		const together: Record<number, string> = {};
		for (const [number, body] of random.shuffle([...bodies])) {
			if (kind !== 'plain' && random.below(2) > 0) together[number] = body;
			else plain.push([number, object(number, body)]);
		}
		const data = `${object(2, tree(99))}${'x'.repeat(random.below(999))}`;
		const [length, inside] = [free++, free++];
		plain.push(
			[length, object(length, String(data.length))],
			[inside, stream(inside, data, noise(), `${length} 0 R`)],
		);
		for (const [number, text] of random.shuffle(plain)) writer.add(number, text);
		if (kind !== 'plain') writer.pack(free++, together);
		writer.end(kind);
	}
	return writer.text;
}
