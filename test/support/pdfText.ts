import { deflateSync } from 'node:zlib';

import type { Random } from '../../emulator/random';

/** PDFs written by hand, each character a byte; the trailer wants the catalog as object 1. */
export const HEADER = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
const END = 'startxref\n0\n%%EOF\n';
export const TRAILER = `trailer\n<</Size 99/Root 1 0 R>>\n${END}`;
export const XREF_STREAM = stream(98, '', '/Type/XRef/Size 99/W[1 2 1]/Root 1 0 R') + END;

export function object(number: number, body: string): string {
	return `${number} 0 obj\n${body}\nendobj\n`;
}

export function stream(number: number, data: string, entries = '', length?: string): string {
	const dictionary = `<<${entries}/Length ${length ?? data.length}>>`;
	return object(number, `${dictionary}\nstream\n${data}\nendstream`);
}

export const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
export const tree = (count: number | string) => `<</Type/Pages/Kids[3 0 R]/Count ${count}>>`;

/** The catalog, a tree of so many pages, more objects, and the trailer. */
export function document(count: number | string, ...more: string[]): string {
	return [HEADER, object(1, CATALOG), object(2, tree(count)), ...more, TRAILER].join('');
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
	const parts = [HEADER];
	let free = 3;
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
		const plain: string[] = [];
		const together: Record<number, string> = {};
		for (const [number, body] of random.shuffle([...bodies])) {
			if (random.below(2) > 0) together[number] = body;
			else plain.push(object(number, body));
		}
		const data = `${object(2, tree(99))}${'x'.repeat(random.below(999))}`;
		const length = free++;
		plain.push(
			stream(free++, data),
			stream(free++, data, noise(), `${length} 0 R`) + object(length, String(data.length)),
			objectStream(free++, together),
		);
		parts.push(...random.shuffle(plain), random.below(2) > 0 ? TRAILER : XREF_STREAM);
	}
	return parts.join('');
}
