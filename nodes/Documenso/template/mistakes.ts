import type { Fault } from '../engine/refusal';
import type { FieldColumn, RecipientColumn } from './columns';

/** What may stay blank in a document: a field, or the name or address of a recipient. */
export type Place = FieldColumn | RecipientColumn;

/** Something that was probably not meant. */
export interface Mistake {
	fault: Fault;
	/** What stays blank because of it. */
	place?: Place;
}

export const MAY_STAY_BLANK =
	"If something may stay blank, choose it under 'Additional Fields > Fields That May Stay Blank'.";
