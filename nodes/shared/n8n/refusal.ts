import type { IDataObject } from 'n8n-workflow';

import { withNote } from '../api/failure';

/** What is wrong with one input or column; `fault` continues "'Column' …". */
export interface Fault {
	column: string;
	fault: string;
	advice?: string;
}

const LISTED_FAULTS = 20;

/** The node itself refuses to do something: an input cannot be used, or a retry could do something twice. */
export class Refusal extends Error {
	override readonly name = 'Refusal';

	constructor(
		message: string,
		/** What the user can do. */
		readonly advice = '',
		/** What is known about it, for programs. */
		readonly details: IDataObject = {},
		/** What is wrong, input by input, where that is known. */
		readonly faults: Fault[] = [],
	) {
		super(message);
	}

	/** The same, with what has happened already. */
	withNote(note: string, details: IDataObject = {}): Refusal {
		const advice = [note, this.advice].filter(Boolean).join(' ');
		return new Refusal(this.message, advice, { ...this.details, ...details }, this.faults);
	}

	/** For one input or column. */
	static about(column: string, fault: string, advice?: string, details?: IDataObject): Refusal {
		return Refusal.of([{ column, fault, advice }], details);
	}

	/** One refusal for everything that is wrong with an item. */
	static of(faults: Fault[], details?: IDataObject): Refusal {
		const listed = faults.slice(0, LISTED_FAULTS);
		const texts = listed.map(({ column, fault }) => `'${column}' ${fault}`);
		const more = faults.length - listed.length;
		const message = [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
		const advice = new Set(listed.flatMap((fault) => fault.advice ?? []));
		return new Refusal(message, [...advice].join(' '), details, faults);
	}
}

/** Notes what a step knows about a failure of the API or a refusal; any other error stays as it is. */
export function noted(error: unknown, note: string, details: IDataObject = {}): unknown {
	return error instanceof Refusal ? error.withNote(note, details) : withNote(error, note, details);
}
