import { CannotTell, type Steps } from './steps';
import { unpacked } from './streams';
import { isReference, Values, type Value } from './values';

/** What takes as long, or as much memory, as so many characters. */
const ROW_STEPS = 40;
const OBJECT_STEPS = 100;
const STREAM_STEPS = 2000;

const LINE_END = /(?:\r\n?|\n)?/y;
const END_OF_STREAM = /^[\0\t\n\f\r ]*endstream/;

/** Where an object is: in the file, or in a stream, with its position there. Undefined if it was deleted. */
export type Place = { at: number; stream?: number } | undefined;

export class Objects {
	/** By the numbers of objects. */
	readonly places = new Map<number, Place>();
	private readonly packs = new Map<number, ReturnType<Objects['unpack']>>();

	constructor(
		readonly text: string,
		private readonly steps: Steps,
	) {}

	/** What a value stands for. Undefined if that is missing, or cannot be read. */
	async get(value: Value | undefined): Promise<Value | undefined> {
		if (!isReference(value)) return value;
		const place = this.places.get(parseInt(value));
		if (!place) return undefined;
		return await attempt(async () => {
			if (place.stream === undefined) return await this.read(new Values(this.text, place.at), true);
			const pack = await this.pack(place.stream);
			return await this.read(new Values(pack[place.at]?.text ?? ''));
		});
	}

	/** A value, or an object such as `3 0 obj <<…>>`. It counts even if it cannot be read. */
	async read(values: Values, isObject = false): Promise<Value> {
		try {
			if (isObject) values.head();
			return values.value();
		} finally {
			await this.steps.take(OBJECT_STEPS + values.length);
		}
	}

	/** Counts a row of a table, or what takes as long. */
	async pass() {
		await this.steps.take(ROW_STEPS);
	}

	/** The stream at a place of the file: its entries, and what it holds. */
	async stream(place: number) {
		const values = new Values(this.text, place);
		const entries = await this.read(values, true);
		if (!(entries instanceof Map) || values.next() !== 'stream') throw new Error('No stream');
		values.skip(LINE_END);
		const start = place + values.length;
		const given = start + Number(entries.get('/Length'));
		const isRight = END_OF_STREAM.test(this.text.slice(given, given + 99));
		const end = isRight ? given : this.text.indexOf('endstream', start);
		const bytes = (end < 0 ? this.text.length : end) - start;
		await this.steps.take(STREAM_STEPS);
		await this.steps.pass(bytes);
		if (end < 0) throw new Error('A stream has no end');
		const data = Buffer.from(this.text.slice(start, end), 'latin1');
		return { entries, bytes: await unpacked(entries, data, this.steps) };
	}

	async pack(number: number) {
		const place = this.places.get(number);
		if (!place || place.stream !== undefined) throw new Error('There is no such stream');
		const pack = this.packs.get(number) ?? this.unpack(place.at);
		this.packs.set(number, pack);
		return await pack;
	}

	/** It begins with the number and the position of each of them. */
	private async unpack(place: number) {
		const { entries, bytes } = await this.stream(place);
		const [type, count, first] = ['/Type', '/N', '/First'].map((name) => entries.get(name));
		if (type !== '/ObjStm') throw new Error('There are no objects in it');
		const text = bytes.toString('latin1');
		const [head, places] = [Number(first), text.slice(0, Number(first))];
		const objects: Array<{ number: number; text: string }> = [];
		for (let at = 0; objects.length < Number(count);) {
			const values = new Values(places, at);
			const [number, start] = [Number(values.next()), Number(values.next())];
			if (Number.isNaN(number + start)) throw new Error('There are fewer objects in it');
			objects.push({ number, text: text.slice(head + start) });
			at += values.length;
			await this.pass();
		}
		return objects;
	}
}

/** What cannot be read is missing: Documenso passes over it. */
export async function attempt<Read>(read: () => Promise<Read>): Promise<Read | undefined> {
	return await read().catch((error: unknown) => {
		if (error instanceof CannotTell) throw error;
		return undefined;
	});
}
